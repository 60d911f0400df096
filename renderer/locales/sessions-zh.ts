import type { Messages } from "./messages.ts";

/** 应用的会话、项目与代理。 */
export const sessionsZh: Messages["sessions"] = {
  session: "会话",
  project: "项目",
  agent: "子代理",
  filterBySession: "只看此会话",
  filterByProject: "只看此项目",
  filterByAgent: "只看此子代理",
};
