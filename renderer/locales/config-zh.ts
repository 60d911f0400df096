import type { configEn } from "./config-en.ts";

/** Chinese words of the configuration file's panel under Settings > Data. */
export const configZh: typeof configEn = {
  title: "配置文件",
  help: "提供商、密钥、路由、别名、价格、预算和设置，都在一个 YAML 文件里。用量、结果和历史在备份里。",
  export: "导出",
  import: "导入",
  file: "要导入的配置文件",
  command: "终端里也一样：postern config export、import 和 diff。POSTERN_CONFIG 指定每次启动时应用的文件。",

  exportHelp: "文件包含决定 Postern 如何响应的一切。",
  secrets: "提供商密钥",
  without: "不包含",
  encrypted: "加密",
  withoutHelp: "导入这个文件时，已有的提供商密钥保持不变。",
  encryptedHelp: "用口令以 age 格式加密。同时拥有文件和口令的人可以使用你的密钥。",
  passphrase: "口令",
  consent: "你的同意",
  consentHelp: "在终端运行 npm run postern -- open，并粘贴它输出的地址。",
  passphraseMissing: "请输入口令。",
  download: "下载",

  importTitle: (file) => `导入 ${file}`,
  importHelp: "按下“导入”之前不会有任何更改。",
  openHelp: "文件里的提供商密钥已加密。",
  open: "打开",
  unconnected: (apps) => `此处未连接：${apps}。请在“应用”页面连接它们；导入不会写它们的文件。`,

  applied: "可以撤销",
  sources: { file: "配置文件", followed: "Postern 跟随的文件", program: "导入" },
  records: (n) => `${n} 项更改`,
  undoOf: (what, when) => `撤销：${what}，${when}`,
  forget: "保留，不再撤销",
  forgetOf: (what, when) => `保留，不再撤销：${what}，${when}`,
};
