/** Sessions, projects and agents of apps, in English. */
export const sessionsEn = {
  session: "Session",
  project: "Project",
  agent: "Sub-agent",
  filterBySession: "Show this session only",
  filterByProject: "Show this project only",
  filterByAgent: "Show this sub-agent only",
};
