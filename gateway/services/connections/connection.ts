import type { Peer } from "../../upstream/provider-client.ts";
import type { ConnectionView, OwnModel } from "../../contract/connection.ts";
import type { CreditReading } from "../../contract/credit.ts";
import { Pacer } from "../../core/attempts/pacer.ts";
import type { Pace } from "../../core/attempts/pacer.ts";
import { KeyHealth } from "../../core/attempts/key-health.ts";
import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import { cutOperation } from "../../providers/base-path.ts";
import type { Lesson } from "../../providers/lessons.ts";
import type { Provider } from "../../providers/provider.ts";

/** A provider key of a connection, with its health. */
export interface Credential {
  /** Null for servers without keys. */
  readonly secret: string | null;
  readonly hint: string;
  /** The sealed key cannot be opened on this start. */
  readonly locked: boolean;
  health: KeyHealth;
  /** Credit that its provider reported last; null: it reports none, or was not asked yet. */
  credit: CreditReading | null;
}

type OwnBody = ConnectionView["body"];

/** A connection at run time. */
export interface Connection {
  readonly id: string;
  readonly provider: Provider;
  readonly name: string;
  readonly baseUrl: string;
  readonly origin: string;
  /** The base URL's path, without a trailing slash. */
  readonly basePath: string;
  /** The user's settings for the peer; undefined: none. */
  readonly peer: Peer | undefined;
  readonly priority: number;
  readonly enabled: boolean;
  readonly from: "created" | "environment" | "local" | "sandbox";
  /** Whether it answers for other providers' models by their own ids, in line with all who do. */
  readonly standsIn: boolean;
  /** Whether prompts are marked for the provider's cache. */
  readonly promptCaching: boolean;
  /** Credit below which the user is notified, in 10⁻⁹ of the provider's currency; null: never. */
  readonly creditNoticeNano: number | null;
  /** Models that the user declared, with their capabilities. */
  readonly ownModels: readonly OwnModel[];
  /** Names of the header fields that its owner adds. */
  readonly headerNames: readonly string[];
  /** Body fields that the user adds to chat requests; null: none. */
  readonly body: OwnBody | null;
  readonly pace: Pace;
  /** Null without a rate limit. */
  readonly pacer: Pacer | null;
  readonly createdAt: number;
  readonly credentials: readonly Credential[];
  /** Models that it last reported; null while they are unknown. */
  discovered: readonly DiscoveredModel[] | null;
  checkedAt: number | null;
  /** Lessons from its refusals, newest last; those older than a week no longer count. */
  learned: readonly Learned[];
  /** Why the model list is missing although the server responds. Reachability is part of its credentials' health. */
  listError: string | null;
}

/** A lesson about a server, for one model at one address. */
export interface Learned {
  readonly model: string;
  readonly origin: string;
  readonly lesson: Lesson;
  /** Unix milliseconds. */
  readonly at: number;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/** Returns the current lessons of a connection for a model. */
export function getLessons(connection: Connection, model: string, now: number): readonly Lesson[] {
  if (connection.learned.length === 0) return NONE;
  return learnedLately(connection, now).flatMap((each) => (each.model === model ? [each.lesson] : []));
}

const NONE: readonly Lesson[] = [];

/** Returns the current lessons of a connection: at most a week old and learned at its present address. */
export function learnedLately({ learned, origin }: Connection, now: number): readonly Learned[] {
  return learned.filter((each) => each.origin === origin && now - each.at < WEEK_MS);
}

export interface ConnectionInput {
  readonly id: string;
  readonly provider: Provider;
  readonly name: string;
  /** Normalised by the provider. */
  readonly baseUrl: string;
  readonly priority: number;
  readonly enabled: boolean;
  readonly from: Connection["from"];
  readonly createdAt: number;
  readonly peer?: Peer | undefined;
  /** Absent: true if the user has connected it. */
  readonly standsIn?: boolean | undefined;
  /** Missing: it does not mark prompts for a cache. */
  readonly promptCaching?: boolean | undefined;
  readonly creditNoticeNano?: number | null | undefined;
  readonly ownModels?: readonly OwnModel[] | undefined;
  readonly headerNames?: readonly string[] | undefined;
  readonly body?: OwnBody | undefined;
  readonly pace?: Pace | undefined;
  readonly credentials: readonly { secret: string | null; hint: string; locked?: boolean }[];
  readonly discovered?:
    | {
        readonly models: readonly DiscoveredModel[];
        readonly at: number;
        readonly learned?: readonly Learned[];
        readonly credit?: readonly StoredCredit[];
      }
    | undefined;
}

/** A reading as it is stored, with the key that it is of. */
export type StoredCredit = Omit<CreditReading, "error"> & { readonly hint: string };

const NO_PACE: Pace = { rpm: null, concurrency: null };

/** Builds the run-time form. A connection without credentials gets one that sends no key. */
export function makeConnection(input: ConnectionInput): Connection {
  const url = new URL(input.baseUrl);
  const pace = input.pace ?? NO_PACE;
  const given = input.credentials.length === 0 ? [{ secret: null, hint: "no key" }] : input.credentials;
  return {
    id: input.id,
    provider: input.provider,
    name: input.name,
    baseUrl: input.baseUrl,
    origin: url.origin,
    basePath: cutOperation(url.pathname),
    peer: input.peer,
    priority: input.priority,
    enabled: input.enabled,
    from: input.from,
    standsIn: input.from !== "local" && input.from !== "sandbox" && input.standsIn !== false,
    promptCaching: input.promptCaching === true,
    creditNoticeNano: input.creditNoticeNano ?? null,
    ownModels: input.ownModels ?? [],
    headerNames: input.headerNames ?? [],
    body: input.body === undefined || Object.keys(input.body).length === 0 ? null : input.body,
    pace,
    pacer: pace.rpm === null && pace.concurrency === null ? null : new Pacer(pace),
    createdAt: input.createdAt,
    credentials: given.map((credential) => ({
      locked: false,
      ...credential,
      health: new KeyHealth(),
      credit: findCredit(input.discovered?.credit, credential.hint),
    })),
    discovered: input.discovered?.models ?? null,
    checkedAt: input.discovered?.at ?? null,
    learned: input.discovered?.learned ?? [],
    listError: null,
  };
}

function findCredit(stored: readonly StoredCredit[] | undefined, hint: string): CreditReading | null {
  const found = stored?.find((each) => each.hint === hint);
  if (found === undefined) return null;
  const { balances, used_up, read_at } = found;
  return { balances, used_up, read_at, error: null };
}
