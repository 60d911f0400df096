import { getOrdinal } from "../../gateway/contract/pace.ts";

/** Budgets of apps and projects, and when money ends at this pace, in English. */
export const budgetsEn = {
  title: "Budgets of apps and projects",
  help: "What an app, or all work in a project’s folder, may spend. A call that falls under several is held to each.",
  none: "No app and no project has a budget of its own.",
  add: "Add budget",
  kinds: { client: "App", project: "Project" },
  addTitle: "Add a budget",
  editTitle: "Change the budget",
  kind: "For",
  name: "Name",
  names: { client: "Claude Code", project: "my-site" },
  nameHelp: {
    client:
      "A known app, or the first word of its User-Agent. With * for several, such as my-*: they share the budget.",
    project: "The name of the folder that the app works in. With * for several: they share the budget.",
  },
  nameInvalid: "Type a name of at most 100 characters, or a pattern with *.",
  amount: "Budget, USD",
  reset: "Resets",
  resets: { daily: "daily (UTC)", monthly: "monthly (UTC)" },
  amountInvalid: "Type an amount in USD up to 9,000,000, such as 5 or 0.50.",
  save: "Set budget",
  spent: (spent: string, limit: string, per: string) => `${spent} of ${limit} ${per}`,
  left: (amount: string) => `${amount} left`,
  held: (amount: string) => `${amount} held by running requests`,
  isSpent: (when: string) => `spent, resets ${when}`,
  edit: "Change…",
  requests: "Show requests",
  unseen: {
    client: "No request of this month is from an app of this name.",
    project: "No request of this month is from a project of this name.",
  },
  limit: { client: "Limit this app…", project: "Limit this project…", key: "Limit this key…" },
  remove: "Remove",
  wasSet: (name: string) => `“${name}” has a budget`,
  removed: (name: string) => `The budget of “${name}” was removed`,
  /** Days of the month in UTC, as limits count. */
  endsOn: (day: string) => `ends on the ${getOrdinal(day)}`,
  endsAt: (time: string) => `ends at ${time}`,
  /** The same where there is little room. */
  ends: (when: string) => `ends ${when}`,
  day: (day: string) => getOrdinal(day),
  atThisPace: (ends: string) => `At this pace it ${ends}`,
  monthEndsOn: (day: string) => `At this pace the month’s budget ends on the ${getOrdinal(day)}.`,
};
