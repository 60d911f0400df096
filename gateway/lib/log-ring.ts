import type { Log, LogFields } from "./log.ts";

export interface LoggedLine {
  /** Unix milliseconds. */
  readonly time: number;
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly fields: LogFields;
}

/** A log that passes everything on and remembers its newest lines, for those who have to find out what went wrong. */
export class LogRing implements Log {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #most: number;
  readonly #lines: LoggedLine[] = [];
  #next = 0;

  /** @param now Unix milliseconds. @param most how many lines are remembered */
  constructor(log: Log, now: () => number, most: number) {
    this.#log = log;
    this.#now = now;
    this.#most = most;
  }

  /** Oldest first. */
  lines(): LoggedLine[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
  }

  info(event: string, fields: LogFields = {}): void {
    this.#keep("info", event, fields);
    this.#log.info(event, fields);
  }

  warn(event: string, fields: LogFields = {}): void {
    this.#keep("warn", event, fields);
    this.#log.warn(event, fields);
  }

  error(event: string, fields: LogFields = {}): void {
    this.#keep("error", event, fields);
    this.#log.error(event, fields);
  }

  flush(): void {
    this.#log.flush();
  }

  #keep(level: LoggedLine["level"], event: string, fields: LogFields): void {
    const line = { time: this.#now(), level, event, fields };
    if (this.#lines.length < this.#most) {
      this.#lines.push(line);
      return;
    }
    this.#lines[this.#next] = line;
    this.#next = (this.#next + 1) % this.#most;
  }
}
