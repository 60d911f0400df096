import { moneyLabel } from "./money-label.ts";
import { english, type Words } from "./words.ts";

const chinese: Words = {
  tray: {
    open: "打开 Postern",
    status: {
      running: (port) => `正在端口 ${port} 上运行`,
      stopping: "正在停止",
      paused: "已暂停",
      storage: "磁盘拒绝写入：付费请求会被拒绝",
    },
    today: (nano) => `今天 ${moneyLabel(nano)}`,
    left: (left, budget) => `本月剩余 ${moneyLabel(left)}，共 ${moneyLabel(budget)}`,
    inFlight: (count) => (count === 0 ? "没有进行中的请求" : `${count} 个请求进行中`),
    videos: (count) => `正在生成 ${count} 个视频`,
    copyBaseUrl: "复制 Base URL",
    copyMcp: "复制 MCP 地址",
    pause: "暂停",
    resume: "继续",
    notifications: "通知",
    autostart: "登录时启动",
    update: (version) => `重新启动以更新到 ${version}`,
    quit: "退出 Postern",
  },
  menu: {
    file: "文件",
    edit: "编辑",
    view: "视图",
    window: "窗口",
    openWindow: "打开窗口",
    closeWindow: "关闭窗口",
    reload: "重新加载",
    checkForUpdates: "检查更新",
  },
  notices: {
    stillRunning: {
      title: "Postern 仍在运行",
      body: (url) => `应用可以继续使用 ${url}。可从托盘重新打开或退出。`,
    },
    videoDone: "视频已完成",
    videoFailed: "视频失败",
    videoUnclear: "有一个视频需要你处理",
    videoUnclearBody: (model) => `${model}：不清楚提供商是否接受了任务。`,
    cost: (nano) => `费用 ${moneyLabel(nano)}`,
    unpriced: "费用未知：此模型没有价格",
    sandbox: "沙盒：没有真实费用",
    videosEnded: (count) => `${count} 个视频已结束`,
    videosEndedBody: (done, failed) => `${done} 个完成，${failed} 个失败`,
    budgetNear: (percent) => `预算已用 ${percent} %`,
    budgetSpent: "预算已用完",
    wholeBudget: "本月预算",
    keyBudget: (name) => `密钥 ${name} 的预算`,
    budgetBody: (whose, spent, limit) => `${whose}：${moneyLabel(spent)}，共 ${moneyLabel(limit)}。`,
    refusedFromNow: "之后的付费请求会被拒绝。",
    outage: (name) => `${name} 没有响应`,
    outages: (count) => `${count} 个提供商没有响应`,
    noCredit: "提供商表示账户余额不足。",
    refusedKey: "提供商拒绝了它的密钥。",
    failing: "最近的请求都失败了，会自动重试。",
    worksAgain: (name) => `${name} 又可以使用了`,
    workAgain: (count) => `${count} 个提供商又可以使用了`,
    locked: "提供商密钥已锁定",
    lockedBody: (names) => `加密它们的钥匙串无法解密：${names}。密钥完好保留。`,
    noKeychain: "没有找到钥匙串",
    linkRefused: "已拒绝一个指向 Postern 的链接",
    updateReady: (version) => `Postern ${version} 已就绪`,
    updateReadyBody: "方便时重新启动即可更新。",
    autostartFailed: "无法更改登录时启动",
  },
  links: {
    unknown: "它要求的事情链接不能做。",
    tooLong: "它太长了。",
    secret: "它带有类似密钥的内容。密钥从不通过链接传递：请自己粘贴。",
    value: "它的某个值不符合要求。",
    address: "链接不能建议这个地址：只能是 https，或本机上的 http。",
    notItsHome: "它写着某个提供商，却指向别人的地址。该提供商的密钥不能发往那里。",
  },
  boxes: {
    firstKey: "你的第一个本地密钥",
    firstKeyDetail: (key, baseUrl) =>
      `${key}\n\n让应用使用 ${baseUrl} 和此密钥。它只显示这一次；可在“密钥”中创建更多。`,
    copyKey: "复制密钥",
    stored: "我已保存",
    crashed: "窗口停止工作",
    crashedDetail: (url, reason) => `${url} 上的网关不受影响，继续为应用服务。原因：${reason}。`,
    reloadWindow: "重新加载窗口",
    keepHidden: "保持隐藏",
  },
};

/**
 * The shell's words in the system's language; the pages have a choice of their own.
 * @param locale Electron's `app.getLocale()`, such as `zh-CN` or `en-US`.
 */
export function wordsFor(locale: string): Words {
  return /^zh\b/i.test(locale) ? chinese : english;
}
