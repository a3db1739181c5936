/** Whether the API answers, which control does: by refusing a call without a token, the cheapest answer. */
export const answersCalls = (url: string): Promise<boolean> =>
  fetch(`${url}/api/v1/me`).then(
    ({ status }) => status === 401,
    () => false,
  );
