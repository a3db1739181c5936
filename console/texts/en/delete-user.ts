export const deleteUserTexts = {
  title: "Delete your profile",
  note: "You leave every account, and your name and e-mail address are erased. Accounts and their links stay.",
  delete: "Delete profile",
  ask: "Delete your profile?",
  askNote:
    "You’ll be signed out everywhere, and this can’t be undone. If you’re the only owner of an account, make someone else an owner or delete the account first.",
  forGood: "Delete for good",
  typed: "delete my profile",
  done: "Your profile was deleted.",
};
