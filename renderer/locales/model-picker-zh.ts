import type { Messages } from "./messages.ts";

/** 模型选择器的中文词条。 */
export const modelPickerZh: Messages["modelPicker"] = {
  search: "搜索模型",
  choose: "选择模型",
  empty: "没有匹配的模型",
  none: "没有可用的模型",
  recent: "最近使用",
  filters: "筛选",
  demands: {
    pictures: "图片输入",
    tools: "工具",
    reasoning: "推理",
    json_schema: "JSON Schema",
    context_128k: "上下文 128k",
    context_200k: "上下文 200k",
    context_1m: "上下文 1M",
    under_1: "输入低于 $1",
    under_5: "输入低于 $5",
  },
  unknown: (feature) => `${feature}：未知`,
  context: (tokens) => `${tokens} 上下文`,
  contextHelp: "上下文窗口（token）",
  priceHelp: "输入 / 输出，每百万 token",
};
