import type { Messages } from "./messages.ts";

/** 代理日志用量和“假如”估算的中文词句。 */
export const historyZh: Messages["history"] = {
  find: "查找日志",
  empty: "没有更早的用量",
  emptyHelp:
    "Claude Code、Codex 和另外五种智能体在本机保存使用日志。Postern 可以读取这些日志，并显示按 API 价格计算的费用。",
  note: "代理日志的用量按 API 价格计算。订阅的付费方式不同：此处为使用 API 时的费用。不计入限额和预算。",
  damaged: (n) => `导入的数据有 ${n} 行损坏。若日志仍在，重新导入即可恢复。`,
  remove: "移除导入的用量",
  removeHelp: "所有导入的数据都将移除。代理自身的日志保留，可以再次导入。",
  removed: "已移除导入的用量",
  more: "更多",

  dialog: {
    title: "从日志导入用量",
    help: "只读取：不会更改代理文件夹中的任何内容。只保存时间、模型、会话、文件夹和 token 数，从不保存文本。",
    reading: "正在读取日志",
    progress: (done, all) => `${done} / ${all} 个日志`,
    none: "未找到智能体的日志。请填写日志所在的文件夹。",
    folder: "其他文件夹",
    folderHelp: ".claude 或 .codex 的完整路径，例如其他主目录中的文件夹。",
    look: "在此查找",
    import: "导入",
    importing: "正在导入",
    done: (requests) => `已导入 ${requests} 个请求`,
    nothingNew: "自上次导入以来没有新内容。",
    logs: (all, fresh) => `${all} 个日志，其中 ${fresh} 个为新增或有新内容`,
    found: (requests, sessions, tokens) => `${sessions} 个会话中的 ${requests} 个请求，${tokens} 个 token`,
    days: (from, to) => (from === to ? from : `${from} 至 ${to}`),
    total: (requests, tokens, amount) =>
      `新增：${requests} 个请求，${tokens} 个 token，API 费用 ${amount}。同一响应的副本只计一次。`,
    unpriced: (n) => `${n} 个请求的模型价格未知。`,
    through: (n) => `另有 ${n} 个请求经过 Postern：已有收据，不计入。`,
    receipts: "较早的收据过多，未逐一核对。",
    broken: (n) => `跳过 ${n} 行损坏的内容。`,
    failed: (n) => `${n} 个日志无法读取：`,
  },

  nothingHelp: "请选择更长的时段，或导入较新的日志。",

  whatIf: {
    title: "假如",
    help: "相同的 token，按其他模型的价格计算。",
    on: "模型",
    onHelp: "Postern 已知价格的任何模型。",
    calculate: "计算",
    less: (amount, percent) => `少 ${amount}（${percent}）`,
    more: (amount, percent) => `多 ${amount}（${percent}）`,
    same: "相同",
    notes: {
      cached_at_full: "缓存输入按新输入计价，因其价格未知。",
      writes_as_input: "缓存写入按输入计价，因该模型不收取缓存写入费。",
    },
    unpriced: (n) => `${n} 个请求没有价格，不计入。`,
    tooLong: (n) => `${n} 个提示超出该模型的上下文长度。`,
    between: "",
    note: "按相同的 token 数估算：其他模型对相同文本的计数可能不同。",
    ratio: (from, to, low, high, source) =>
      `相同文本在 ${to} 的 token 数是 ${from} 的 ${low} 至 ${high} 倍（${source}）。`,
    incomplete: "较早的收据过多，未计入。",
    empty: "此时段没有用量。",
  },
};
