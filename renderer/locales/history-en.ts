/** English words of usage from agents' logs, and of the estimate for other models. */
export const historyEn = {
  find: "Find logs",
  empty: "No earlier usage",
  emptyHelp:
    "Claude Code, Codex and five other agents keep logs of what they use on this machine. Postern can read them and show what that costs at API prices.",
  note: "Usage of agent logs is at API prices. With a subscription you pay differently; then this is what the API would have cost. Limits and budgets do not count it.",
  damaged: (n: string) =>
    n === "1"
      ? "1 line of what was imported is damaged. Import again to take it from the logs, where they are still there."
      : `${n} lines of what was imported are damaged. Import again to take them from the logs, where they are still there.`,
  remove: "Remove imported usage",
  removeHelp: "Everything that was imported is forgotten. The agents' own logs stay, and can be imported again.",
  removed: "Imported usage removed",
  more: "More",

  dialog: {
    title: "Import usage from logs",
    help: "Only read: nothing in the agents' folders is changed. Kept are times, models, sessions, folders and token counts, never a text.",
    reading: "Reading logs",
    progress: (done: string, all: string) => `${done} of ${all} logs`,
    none: "No logs of agents were found. Name the folder that has them.",
    folder: "Another folder",
    folderHelp: "The full path of .claude or .codex, such as one of another home folder.",
    look: "Look there",
    import: "Import",
    importing: "Importing",
    done: (requests: string) => (requests === "1" ? "Imported 1 request" : `Imported ${requests} requests`),
    nothingNew: "Nothing new since the last import.",
    logs: (all: string, fresh: string) => `${all} logs, ${fresh} of them new or longer`,
    found: (requests: string, sessions: string, tokens: string) =>
      `${requests} requests in ${sessions} sessions, ${tokens} tokens`,
    days: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
    total: (requests: string, tokens: string, amount: string) =>
      `New: ${requests} requests, ${tokens} tokens, ${amount} at API prices. Copies of the same response are counted once.`,
    unpriced: (n: string) => `${n} of models without a known price.`,
    through: (n: string) => `${n} more went through Postern: they have receipts and are left out.`,
    receipts: "Older receipts were not looked at for that, because they are too many.",
    broken: (n: string) => (n === "1" ? "1 broken line is passed over." : `${n} broken lines are passed over.`),
    failed: (n: string) => (n === "1" ? "1 log could not be read:" : `${n} logs could not be read:`),
  },

  nothingHelp: "Choose a longer time, or import newer logs.",

  whatIf: {
    title: "What if",
    help: "The same tokens at another model's prices.",
    on: "Model",
    onHelp: "Any model that Postern knows a price of.",
    calculate: "Calculate",
    less: (amount: string, percent: string) => `${amount} less (${percent})`,
    more: (amount: string, percent: string) => `${amount} more (${percent})`,
    same: "The same",
    notes: {
      cached_at_full: "Cached input has the price of new input, because its own is not known.",
      writes_as_input: "Cache writes count as input, because the other model sells none.",
    },
    unpriced: (n: string) =>
      n === "1" ? "1 request has no price and is left out." : `${n} requests have no price and are left out.`,
    tooLong: (n: string) =>
      n === "1"
        ? "1 prompt is longer than the other model takes."
        : `${n} prompts are longer than the other model takes.`,
    /** Between two sentences of the note. */
    between: " ",
    note: "Estimate with the same number of tokens: another model may count the same text differently.",
    ratio: (from: string, to: string, low: string, high: string, source: string) =>
      `The same text has ${low} to ${high} times as many tokens at ${to} as at ${from} (${source}).`,
    incomplete: "Older receipts are left out, because they are too many.",
    empty: "Nothing was used in this time.",
  },
} as const;
