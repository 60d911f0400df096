import { defaultDataDir } from "./data-dir.ts";

/** Set by the launcher of an installed package: how its command is called, as `npx postern`. */
const INSTALLED = "POSTERN_COMMAND";

/**
 * Returns a `postern` command line as the user would type it here.
 * @param words command and options, as `open`
 * @param dataDir included if commands do not find it by default
 */
export function ownCommand(words: string, dataDir?: string): string {
  const folder = dataDir === undefined || isUsualFolder(dataDir) ? "" : ` --data-dir ${quote(dataDir)}`;
  return `${process.env[INSTALLED] ?? "npm run postern --"} ${words}${folder}`;
}

/** Returns the line that starts Postern here. @param options as `--port 6175` */
export function ownStart(options: string): string {
  const installed = process.env[INSTALLED];
  return installed === undefined ? `npm start -- ${options}` : `${installed} ${options}`;
}

const quote = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);

/** Whether commands find the folder by themselves. */
function isUsualFolder(dataDir: string): boolean {
  try {
    return defaultDataDir(process.platform, process.env) === dataDir;
  } catch {
    return false;
  }
}
