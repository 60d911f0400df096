/** English words of the model picker. */
export const modelPickerEn = {
  search: "Search models",
  choose: "Choose a model",
  empty: "No model matches",
  none: "No model is served",
  recent: "Recent",
  filters: "Filters",
  demands: {
    pictures: "Image input",
    tools: "Tools",
    reasoning: "Reasoning",
    json_schema: "JSON schema",
    context_128k: "128k context",
    context_200k: "200k context",
    context_1m: "1M context",
    under_1: "Input under $1",
    under_5: "Input under $5",
  },
  unknown: (feature: string) => `${feature}: not known`,
  context: (tokens: string) => `${tokens} context`,
  contextHelp: "Context window in tokens",
  priceHelp: "Input / output, per 1M tokens",
} as const;
