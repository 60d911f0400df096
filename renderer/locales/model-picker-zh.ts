import type { Messages } from "./messages.ts";

/** 模型选择器的中文词条。 */
export const modelPickerZh: Messages["modelPicker"] = {
  search: "搜索模型",
  choose: "选择模型",
  empty: "没有匹配的模型",
  none: "没有可用的模型",
  recent: "最近使用",
  reasoning: "支持推理",
  filters: "筛选",
  takes: { pictures: "可识别图片", tools: "工具" },
  context: (tokens) => `${tokens} 上下文`,
  contextHelp: "上下文窗口（token）",
  priceHelp: "输入 / 输出，每百万 token",
};
