import type { HistoryAgent } from "../../contract/history.ts";
import { sha256 } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import { computeTotal } from "./history-entry.ts";
import type { HistoryEntry, HistoryTokens } from "./history-entry.ts";
import { findObject } from "./log-reader.ts";
import type { LogPlace, LogReader, ReadLine } from "./log-reader.ts";
import type { OurReceipts } from "./our-receipts.ts";

export type LoggedObject = Readonly<Record<string, unknown>>;

/** Facts from earlier objects of a log, as JSON. */
export interface LogState {
  readonly place: LogPlace;
  session: string | null;
  project: string | null;
  /** Facts that a form needs of earlier objects. */
  facts: Record<string, unknown>;
}

/** A response that an object of a log tells of. */
export interface LoggedResponse {
  /** Identifies the response among all logs of the agent. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly model: string;
  readonly session: string;
  readonly project: string;
  readonly sidechain?: boolean;
  readonly tokens: HistoryTokens;
}

/** How the objects of an agent's logs are read. */
export interface ObjectForm {
  readonly agent: HistoryAgent;
  /** Texts of which each object that matters has one. */
  readonly marks: readonly string[];
  read(object: LoggedObject, state: LogState): readonly LoggedResponse[];
}

export interface ObjectLogParts {
  readonly place: LogPlace;
  /** Saved state of an earlier reader of this log; null to start at the beginning. */
  readonly state: unknown;
  readonly receipts: Pick<OurReceipts, "hasUsed">;
}

/** Reads a log whose objects are lines, a whole file, or rows of a database. */
export class ObjectLog implements LogReader {
  readonly #form: ObjectForm;
  readonly #state: LogState;
  readonly #receipts: Pick<OurReceipts, "hasUsed">;
  #entries: HistoryEntry[] = [];

  constructor(form: ObjectForm, { place, state, receipts }: ObjectLogParts) {
    const { session, project, facts } = isRecord(state) ? state : {};
    this.#form = form;
    this.#receipts = receipts;
    this.#state = {
      place,
      session: typeof session === "string" ? session : null,
      project: typeof project === "string" ? project : null,
      facts: isRecord(facts) ? { ...facts } : {},
    };
  }

  get state(): unknown {
    const { session, project, facts } = this.#state;
    return { session, project, facts };
  }

  take(): readonly HistoryEntry[] {
    return this.#entries.splice(0);
  }

  read(bytes: Buffer): ReadLine {
    if (!this.#form.marks.some((mark) => bytes.includes(mark))) return "other";
    const object = findObject(bytes);
    if (object === undefined) return "broken";
    const { agent } = this.#form;
    const responses = this.#form.read(object, this.#state).filter(({ tokens }) => computeTotal(tokens) > 0);
    for (const { id, at, model, session, project, sidechain = false, tokens } of responses) {
      const key = sha256(`${agent}\n${id}`).slice(0, 16);
      const postern = this.#receipts.hasUsed({ at, model, tokens });
      this.#entries.push({
        agent,
        key,
        scope: "",
        at,
        model,
        session,
        project,
        served: "",
        sidechain,
        postern,
        tokens,
      });
    }
    return responses.length > 0 ? "read" : "other";
  }
}
