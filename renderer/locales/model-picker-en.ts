/** English words of the model picker. */
export const modelPickerEn = {
  search: "Search models",
  choose: "Choose a model",
  empty: "No model matches",
  none: "No model is served",
  recent: "Recent",
  reasoning: "Reasons",
  filters: "Filters",
  takes: { pictures: "Sees pictures", tools: "Tools" },
  context: (tokens: string) => `${tokens} context`,
  contextHelp: "Context window in tokens",
  priceHelp: "Input / output, per 1M tokens",
} as const;
