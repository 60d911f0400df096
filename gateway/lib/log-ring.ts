import { KnownSecrets } from "./known-secrets.ts";
import type { Log, LogFields } from "./log.ts";

export interface LoggedLine {
  /** Unix milliseconds. */
  readonly time: number;
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly fields: LogFields;
}

/**
 * A log that passes everything on, without the secrets that are known, and remembers its newest lines, for those who
 * have to find out what went wrong.
 */
export class LogRing implements Log {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #most: number;
  readonly #secrets: KnownSecrets;
  readonly #lines: LoggedLine[] = [];
  #next = 0;

  /** @param now Unix milliseconds. @param most max stored lines */
  constructor(log: Log, now: () => number, most: number, secrets = new KnownSecrets()) {
    this.#log = log;
    this.#now = now;
    this.#most = most;
    this.#secrets = secrets;
  }

  /** Oldest first. */
  lines(): LoggedLine[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
  }

  info(event: string, fields: LogFields = {}): void {
    this.#log.info(event, this.#keep("info", event, fields));
  }

  warn(event: string, fields: LogFields = {}): void {
    this.#log.warn(event, this.#keep("warn", event, fields));
  }

  error(event: string, fields: LogFields = {}): void {
    this.#log.error(event, this.#keep("error", event, fields));
  }

  flush(): void {
    this.#log.flush();
  }

  #keep(level: LoggedLine["level"], event: string, given: LogFields): LogFields {
    const fields = this.#clean(given);
    const line = { time: this.#now(), level, event, fields };
    if (this.#lines.length < this.#most) {
      this.#lines.push(line);
      return fields;
    }
    this.#lines[this.#next] = line;
    this.#next = (this.#next + 1) % this.#most;
    return fields;
  }

  /** Returns the fields without secrets; the same object if it has no secret. */
  #clean(fields: LogFields): LogFields {
    let clean = fields;
    for (const name in fields) {
      const value = fields[name];
      if (typeof value !== "string") continue;
      const shown = this.#secrets.cleanText(value);
      if (shown !== value) clean = { ...clean, [name]: shown };
    }
    return clean;
  }
}
