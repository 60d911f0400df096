import { HIDDEN } from "./autostart.ts";

/** Postern's own options and whether a value follows, as gateway/headless-options.ts reads them. */
const OPTIONS: Readonly<Record<string, boolean>> = {
  "--headless": false,
  "--json": false,
  "--help": false,
  "-h": false,
  "--port": true,
  "--host": true,
  "--data-dir": true,
  "--config": true,
  "--watch": false,
  "--allowed-hosts": true,
  "--allowed-origins": true,
};

/**
 * Returns Postern's own options from the arguments of an Electron process. Others are the executable, the script,
 * arguments of Chromium, a test driver or a launcher, and link addresses: anything after `--` or a link is never an
 * option.
 * @param argv `process.argv`.
 */
export function listOwnArguments(argv: readonly string[]): readonly string[] {
  const own: string[] = [];
  for (let index = 1; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--" || /^postern:/i.test(word)) break;
    const [name = "", ...rest] = word.split("=");
    const takesValue = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (takesValue === undefined) continue;
    own.push(word);
    const next = argv[index + 1];
    if (!takesValue || rest.length > 0 || next === undefined) continue;
    own.push(next);
    index += 1;
  }
  return own;
}

/** Whether the session starts it: without a window. */
export function startsHidden(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes(HIDDEN);
}

export type StartMode = "desktop" | "headless";

/** Which of the two a start is. Help is a matter of the headless start, which knows all options. */
export function startMode(own: readonly string[]): StartMode {
  return ["--headless", "--help", "-h"].some((name) => own.includes(name)) ? "headless" : "desktop";
}
