import { redact } from "./redact.ts";

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes a JSON line per event: `{"time","level","event",…fields}`. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Writes buffered lines immediately. */
  flush(): void;
}

const FLUSH_AFTER_MS = 25;
const FLUSH_AT_CHARACTERS = 32_768;

/**
 * A log that batches its lines, because each write costs a system call.
 * @param write writes whole lines; called at most every 25 ms, and on `flush`.
 * @param now Unix milliseconds.
 */
export function createLog(write: (lines: string) => void, now: () => number): Log {
  let buffer = "";
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (buffer === "") return;
    const lines = buffer;
    buffer = "";
    write(lines);
  };
  /** The last value under each name: most lines repeat values of the one before them. */
  const last = new Map<string, { value: unknown; text: string }>();
  const member = (name: string, value: Exclude<LogFields[string], undefined>): string => {
    const known = last.get(name);
    if (known?.value === value) return known.text;
    // Names are our own identifiers; values may be anything.
    const text = `,"${name}":${typeof value === "string" ? quoteValue(value) : value}`;
    if (known === undefined) last.set(name, { value, text });
    else {
      known.value = value;
      known.text = text;
    }
    return text;
  };
  const line = (level: string, event: string, fields: LogFields = {}): void => {
    let text = `{"time":${now()}${member("level", level)}${member("event", event)}`;
    for (const name in fields) {
      const value = fields[name];
      if (value !== undefined) text += member(name, value);
    }
    buffer += `${text}}\n`;
    if (buffer.length >= FLUSH_AT_CHARACTERS) flush();
    else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  };
  return {
    info: (event, fields) => line("info", event, fields),
    warn: (event, fields) => line("warn", event, fields),
    error: (event, fields) => line("error", event, fields),
    flush,
  };
}

/** Escapes control characters that JSON allows and terminals interpret, within a JSON text. */
export function escapeControls(json: string): string {
  return json.replace(/[\u007F-\u009F]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** Nothing in it that JSON would escape: ids, paths, model names. */
const PLAIN = /^[\w/.:-]*$/;

function quoteValue(value: string): string {
  const clean = redact(value);
  return PLAIN.test(clean) ? `"${clean}"` : escapeControls(JSON.stringify(clean));
}

/** A log that discards everything: for tests and embedding. */
export const silentLog: Log = { info() {}, warn() {}, error() {}, flush() {} };
