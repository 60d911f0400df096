import type { Command } from "../command.ts";

export const openPages: Command = {
  name: "open",
  about: "print a fresh address of the pages, good for one sign-in",
  options: {},
  async run({ control }) {
    const page = await control.call("issuePageToken");
    return { json: page, text: page.url };
  },
};
