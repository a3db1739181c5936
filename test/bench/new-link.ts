/** The body of a typical `POST /links`, different for each number. */
export const newLinkBody = (number: number) => ({
  destination_url: `https://www.spring-${number % 1000}.example/garden/story-${number}?page=2`,
  title: "Spring campaign story",
  tags: ["newsletter", "garden"],
});
