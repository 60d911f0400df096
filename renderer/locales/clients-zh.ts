import type { Messages } from "./messages.ts";

/** Chinese words of the Apps page. */
export const clientsZh: Messages["clients"] = {
  about:
    "每个应用都有自己的密钥，因此可以看到它花了多少。Postern 会先显示应用配置文件的改动，保留备份，并能逐字节还原。",
  machine: (home) => `文件位于运行 Postern 的机器上，在 ${home} 之下。`,
  noHome: "Postern 的环境没有指明主目录，因此不写入任何文件。请手动配置应用。",

  states: {
    connected: "已连接",
    changed: "已连接，文件此后有改动",
    gone: "已连接，文件已不存在",
    unwritten: "已连接，文件未写入",
    refused: "无法写入",
    found: "已检测到",
    absent: "未安装",
    manual: "手动配置",
    revoked: "其密钥已吊销",
  },
  parts: { models: "模型", mcp: "工具（MCP）" },
  partsHelp: {
    models: "它对模型的请求都经过 Postern。",
    mcp: "它可以使用 Postern 的工具：图片、语音、视频、限额。",
  },
  callsElsewhere: (address) => `它现在调用 ${address}。`,
  loops: {
    connection: (name, address) =>
      `提供商 ${name}（${address}）又指回本 Postern，其调用会被拒绝；请填写提供商自己的地址。`,
    "connection-relay": (name, relay) => `提供商 ${name} 指向 ${relay}，而后者又指回本 Postern。请更改其中之一。`,
    "client-relay": (address, relay) =>
      `它调用 ${relay}（${address}），后者再调用本 Postern。在此连接后，它将不再经过 ${relay}。`,
    "client-connection": (address, name) =>
      `它调用 ${address}，这也是 Postern 的提供商 ${name}。在此连接后，它将经由 Postern 到达那里。`,
  },

  seen: { title: "本月出现的应用", limit: "限额", last: "最近请求" },
  key: "密钥",
  spent: "本月",
  calls: (n) => `${n} 次调用`,
  files: "文件",
  lastCheck: "上次验证",
  neverChecked: "尚未验证",

  connect: "连接",
  change: "更改",
  verify: "验证",
  verifying: "正在验证",
  undo: "撤销",
  manual: "手动配置",
  named: {
    connect: (name) => `连接 ${name}`,
    change: (name) => `更改 ${name}`,
    verify: (name) => `验证 ${name}`,
    undo: (name) => `撤销 ${name}`,
    manual: (name) => `手动配置：${name}`,
  },

  all: {
    open: "连接所有检测到的应用",
    title: "连接所有检测到的应用",
    help: "每个应用都会得到自己的密钥、所有部分和一个合适的模型。按“连接”之前不会写入任何内容。",
    changesOf: (name) => `改动内容：${name}`,
    connect: (n) => `连接 ${n} 个应用`,
    undo: "全部撤销",
  },
  refresh: "刷新模型",
  outdated: "现在提供的模型与其选择器中的不同。",

  what: "要连接什么",
  slots: { main: "模型", opus: "用作 Opus", sonnet: "用作 Sonnet", haiku: "用作 Haiku" },
  tiersHelp: "Claude Code 用这三个名称请求三种大小的模型：默认使用 Opus，小任务交给 Haiku。",
  ownName: "用它自己的名称",
  noModels: "还没有对话模型。请先连接提供商，或打开沙盒。",
  offerAll: (n) => `在其选择器中提供全部 ${n} 个对话模型`,
  offerAllHelp: "连同上下文大小。不选则只提供所选模型。",
  limit: "每月限额（USD）",
  limitHelp: "用完后密钥停用。留空表示没有限额。",
  limitInvalid: "请输入不超过 9,000,000 的金额，例如 20 或 7.50。",
  onlyThese: "密钥只能使用这些模型",
  changes: "改动内容",
  keyToCome: (name) => `将为它创建名为“${name}”的密钥，下文以 sk-… 代替。`,
  keyStays: "它保留原有密钥。",
  actions: { create: "新文件", change: "改动的文件", remove: "文件将被删除", keep: "保持不变" },
  target: (path) => `这是指向 ${path} 的链接，写入的是后者。`,
  kept: (paths) => `这些内容此后被你改动，将保留：${paths}`,
  notes: {
    other_key: "文件中还有另一个密钥。如果应用同时发送两者，Postern 会拒绝该调用。",
    elsewhere: "文件中的另一项设置会让应用连接到别处。验证时会指出该设置。",
    readable_by_others: "这台机器上的其他人可以读取此文件及其中的密钥。",
    linked: "此文件是链接：写入的是它指向的文件，链接保留。",
  },
  moreLines: (n) => `…… 还有 ${n} 行`,
  diffOf: (path) => `${path} 的改动`,
  before: "之前",
  after: "之后",
  text: "文本",
  marks: { added: "新增", removed: "删除", same: "未变" },
  apply: "写入",

  done: (name) => `${name} 已连接`,
  doneHelp: "如果它正在运行，请重新启动。它的调用会以其密钥显示在“请求”中。",
  tryIt: "在终端中试一试：",
  secret: (name) => `${name} 从自己的设置而不是从文件读取此密钥。请填到那里。密钥只显示这一次。`,
  linkHelp: (name) => `${name} 通过此链接获取设置，其中包含它的密钥；保存前会询问。仅显示这一次。`,
  openLink: (name) => `打开 ${name}`,
  copyLink: "复制链接",
  copyKey: "复制密钥",
  stored: "我已保存",
  close: "完成",
  ok: (duration) => `可用，${duration}`,
  failed: "不可用",
  showRequest: "显示请求",

  undoTitle: (name) => `撤销 ${name}？`,
  undoHelp: (key) => `文件将恢复原样。密钥“${key}”将被吊销，此操作无法撤销。`,
  undoNow: "撤销并吊销密钥",
  undone: (name) => `${name} 已恢复原样`,

  manualTitle: (name) => `手动配置 ${name}`,
  manualHelp: "将 YOUR_KEY 换成你的一个密钥，将 YOUR_MODEL 换成模型的 ID。",
  manualWhy: {
    cursor:
      "Cursor 把模型的地址和密钥存放在只有它自己可以写入的数据库中。请在 Cursor 设置的“Models”中填写。它的 MCP 工具在文件中配置，Postern 可以写入。",
    "cherry-studio":
      "Cherry Studio 把提供商存放在自己的数据库中，并通过链接接收设置；“连接”会生成该链接。撤销会吊销密钥；请在 Cherry Studio 中删除该提供商。",
    "copilot-cli":
      "Copilot CLI 只从环境变量读取提供商。“postern run copilot”会为一次运行设置它，并使用随之结束的密钥。",
    "open-webui": "Open WebUI 是服务器：请在其管理设置中填写连接，或用这些变量启动它。",
    langchain: "LangChain 没有配置文件：地址和密钥写在你的程序中。",
    "openai-sdk": "该 SDK 没有配置文件：两者取自你的程序或环境变量。",
    "anthropic-sdk": "该 SDK 没有配置文件：两者取自你的程序或环境变量。",
    zed: "Zed 把密钥存放在系统钥匙串中。请在其设置的 LLM Providers 中填写，或放入 POSTERN_API_KEY。",
  },
  copyText: (label) => `复制 ${label}`,
};
