import type { Messages } from "./messages.ts";

/** 提供商页面的简体中文。 */
export const connectionsZh: Messages["connections"] = {
  add: "添加提供商",
  addTitle: "添加提供商",
  empty: "尚未连接提供商",
  emptyHelp: "添加提供商密钥或本地服务器。在此之前由沙盒响应。",
  emptyHelpOff: "添加提供商密钥或本地服务器。在此之前无法处理请求。",
  provider: "提供商",
  name: "名称",
  baseUrl: "Base URL",
  baseUrlHelp: "其 API 的根地址，以其文档为准。",
  providerKey: "提供商密钥",
  providerKeyNumber: (n) => `提供商密钥 ${n}`,
  anotherKey: "再添加一个密钥",
  removeKey: (n) => `移除提供商密钥 ${n}`,
  keyHelp: "在本机加密保存，不再显示，只能更换。",
  keyOptionalHelp: "服务器不需要密钥时请留空。",
  getKey: (provider) => `从 ${provider} 获取密钥`,
  proxy: "代理",
  proxyHelp:
    "default：按“设置 > 网络”；direct：不使用；或填写地址，例如 http://proxy:8080 或 socks5://user:password@proxy:1080。",
  priority: "优先级",
  priorityHelp: "多个提供商提供同一模型时，优先使用数值最小的。",
  rpm: "每分钟请求数",
  concurrency: "并发请求数",
  paceHelp: "提供商允许的速率。超出的请求最多等待 5 秒，然后改用其他提供商。留空：不限。",
  headers: "请求头",
  headersHelp: "每行一个，例如 OpenAI-Organization: org-1。值会加密保存，显示为 ***。",
  body: "请求体字段",
  bodyHelp: '对话请求中没有该字段时加入的 JSON，例如 {"top_k": 20}。',
  ownModels: "模型",
  ownModelsHelp: "每行一个：列表中没有的模型 ID，以及模型的用途，例如 my-vectors = embedding。",
  promptCaching: "为缓存标记提示词",
  promptCachingHelp: "仅在应用自己没有标记时。写入比输入贵，读取便宜得多。",
  test: "测试",
  testNamed: (name) => `测试“${name}”`,
  testing: "正在测试",
  edit: "更改",
  editTitle: "更改提供商",
  replaceKey: "更换密钥",
  replaceTitle: (name) => `更换“${name}”的密钥`,
  replaceHelp: "新密钥立即生效，旧密钥会被删除。",
  remove: "移除",
  removeTitle: (name) => `移除“${name}”？`,
  removeHelp: "它的提供商密钥会被删除。此操作无法撤销；过去的请求会保留。",
  movedHelp: (origin) => `已保存的密钥是为 ${origin} 提供的。请输入新地址的密钥。`,
  allowHttp: "仍然以未加密方式发送密钥和提示词",
  localTitle: "在本机检测到",
  localHelp: "本地模型服务。在你使用之前，不会向它们发送任何请求。",
  localOther: (user) => `由另一个用户（${user}）运行，该用户可以读取你发送的内容。`,
  localUse: (name) => `使用 ${name}`,
  localUseOther: (name, user) => `使用 ${user} 的 ${name}`,
  localRefuse: "不再提供",
  localAgain: "重新提供",
  fixed: {
    created: "",
    environment: "由 POSTERN_… 变量设定；请更改变量后重新启动",
    local: "在其服务器运行期间有效",
  },
  added: (name) => `“${name}”已连接`,
  changed: (name) => `“${name}”已更改`,
  replaced: (name) => `“${name}”的密钥已更换`,
  removed: (name) => `“${name}”已移除`,
  disabled: (name) => `“${name}”已停用`,
  enabled: (name) => `“${name}”已启用`,
  on: (name) => `使用“${name}”`,
  origins: { created: "", environment: "环境变量", local: "本机检测到" },
  learned: "从拒绝中得知",
  learnedHelp: "服务器拒绝了 Postern 加上的字段；一周内改用另一种写法发送。",
  learnedOf: (name) => `${name} 通过拒绝告知的内容`,
  lesson: (lesson) => {
    const [word = "", field = ""] = lesson.split(" ");
    switch (word) {
      case "without":
        return `不带 ${field}`;
      case "message":
        return `消息不带 ${field}`;
      case "bound":
        return `用 ${field} 限制最长回复`;
      case "thoughts":
        return field === "needed" ? "附上前几轮的思考" : "不附前几轮的思考";
      case "choice":
        return field === "word" ? "用词语选择工具" : "不强制调用工具";
      case "strict":
        return "工具不带 strict";
      case "schema":
        return "用文字说明 JSON Schema";
      case "system":
        return "系统消息只在开头";
      default:
        return lesson;
    }
  },
  forget: "忘记",
  forgetOf: (name) => `忘记 ${name} 告知的内容`,
  forgot: (name) => `发往“${name}”的请求恢复原样`,
  models: (n) => `${n} 个模型`,
  modelsUnknown: "尚未获取模型列表",
  modelsUnlisted: "不提供模型列表",
  modelsRefused: "有响应，但没有返回模型列表",
  checked: (age) => `${age}检查`,
  reached: (ms, n) => `正常：${ms} 内响应，共 ${n} 个模型。`,
  notAsked: "没有可用于测试的模型列表：第一次请求时才知道。",
  saveAnyway: "仍要保存",
  problems: {
    refused: "提供商拒绝此密钥。",
    out_of_credit: "此密钥的账户额度已用尽。",
    unreachable: "此地址没有响应。",
    failed: "提供商出错，请稍后重试。",
    no_list: "有响应，但没有返回模型列表：请检查 Base URL。",
    no_key: "没有可用的密钥：请更换。",
    stopping: "Postern 正在停止。",
  },
  credentials: (name) => `“${name}”的提供商密钥`,
  health: {
    ready: "就绪",
    failed: "失败",
    cooling: "冷却中",
    open: "连续失败",
    refused: "被拒绝",
    out_of_credit: "额度用尽",
    locked: "已锁定",
  },
  states: {
    healthy: "正常",
    off: "已停用",
    absent: "未运行",
    unknown: "未知",
    degraded: "不稳定",
    locked: "密钥已锁定",
    out_of_credit: "额度用尽",
    invalid_key: "密钥无效",
    down: "不可用",
  },
  sentences: {
    healthy: "",
    off: "不会向它发送请求。",
    not_running: "它的程序没有运行：请启动它。",
    untested: "尚未向它发送过请求。",
    no_list: "有响应，但没有返回模型列表：请检查 Base URL。",
    refused: "提供商拒绝此密钥。",
    no_credit: "此密钥的账户额度已用尽。",
    locked: "无法从本机钥匙串读取密钥：请解锁，或更换密钥。",
    unreachable: "此地址没有响应。",
    failing: "连续失败多次。",
    last_failed: "上一次请求失败。",
    rate_limited: "提供商要求等待。",
    some_keys: "部分密钥不可用。",
    some_models: "部分模型失败。",
  },
  actions: { test: "测试", retry: "重试", replace_key: "更换密钥", top_up: "充值" },
  actionNamed: (action, name) => `${action}：“${name}”`,
  lastSuccess: "上次成功",
  latency: (n, ms, failed) => `最近 ${n} 个请求：p50 ${ms}${failed === 0 ? "" : `，失败 ${failed} 个`}`,
  noLatency: (n) => `最近 ${n} 个请求均失败`,
  quoted: (text) => `“${text}”`,
  until: (moment) => `${moment}重试`,
  healthHelp: {
    ready: "",
    failed: "上一次请求失败。",
    cooling: "提供商要求等待。",
    open: "连续失败多次。恢复响应之前，优先使用其他提供商。",
    refused: "提供商拒绝此密钥。请更换。",
    out_of_credit: "提供商表示额度已用尽。",
    locked: "无法从本机钥匙串读取密钥。请解锁，或更换密钥。",
  },
  lockedKeys: (names) =>
    `这些提供商密钥无法解密：${names}。它们的钥匙串不在、已锁定或已更换。请用原来的钥匙串重新启动 Postern，或在“提供商”页更换密钥。在此之前它们保持加密，不会被覆盖。`,
  invalid: {
    name: "请给提供商起一个 1 到 100 个字符的名称。",
    base_url: "请输入以 http:// 或 https:// 开头的地址。",
    keys: "请输入提供商密钥。",
    priority: "请输入 0 到 1,000 的整数。",
    allow_http: "请确认确实要使用未加密的 http。",
    proxy: "请输入 default、direct，或 http://proxy:8080 这样的地址。",
    headers: "请按“名称: 值”每行填写一个。提供商的密钥请填在上方，不要作为请求头。",
    body: "请填写 JSON 对象。模型、对话内容、stream、n 和 service_tier 由请求决定。",
    rpm: "请输入 1 到 100,000 的整数，或留空。",
    concurrency: "请输入 1 到 10,000 的整数，或留空。",
    models:
      "请写模型 ID，或 ID 及其用途，例如 my-vectors = embedding：chat、embedding、speech、transcription、image、video 或 moderation。",
  },
};
