import type { BudgetScope, ScopeKind } from "../../contract/budgets.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { utcDay } from "../../lib/clock.ts";
import { matchesGlob } from "../glob.ts";
import { matchesApp } from "../keys/client-name.ts";
import type { DailyRow, DailyRows } from "./daily-rows.ts";
import { addReceipt, countedModel, emptySums } from "./usage-sums.ts";
import { addNano } from "../../lib/money.ts";

/** Running spend of one key, or of the whole app (`id: "*"`, sandbox excluded). Derived from receipts only. */
export interface SpendRow {
  readonly id: string;
  /** Number of the last receipt that is in it: replaying a receipt at or below it changes nothing. */
  n: number;
  total_nano: number;
  /**
   * Sums of the most recently charged days, the latest charge last, because a corrected clock may return to earlier
   * dates.
   */
  readonly days: RunningSum[];
  /** Sums of the months charged last, in the same order. */
  readonly months: RunningSum[];
  /** Time of its last receipt. */
  last_used_at: number;
}

interface RunningSum {
  readonly period: string;
  nano: number;
}

/** Max days kept, as a clock that is changed repeatedly adds more; the least recently charged day is dropped. */
const KEPT_DAYS = 8;
const KEPT_MONTHS = 4;

/** The rows that receipts are counted in. */
export interface Aggregates {
  readonly spend: Map<string, SpendRow>;
  readonly daily: DailyRows;
  /** Names with a budget keep their own rows, however many names there are. */
  readonly budgets?: ReadonlyMap<string, { readonly scope: BudgetScope }>;
}

/** Client name of rows beyond the max number of clients. */
export const OTHER_CLIENTS = "";
/** Max clients and projects of a key in a day with their own rows. */
const MOST_CLIENTS = 100;
const MOST_PROJECTS = 100;

/** The spend row of the whole app. */
export const APP_SPEND = "*";
/** The spend row of a key's sandbox calls, which are in the key's own row as well: its limit counts them. */
export const sandboxSpend = (key: string): string => `${key}|sandbox`;

/**
 * Counts receipt number `n` in the spend rows of its key and of the app, and in its daily row. A row only accepts a
 * receipt whose `n` is above the row's own, so a replay that overlaps a snapshot is idempotent. Receipts must be in
 * order.
 * @returns its daily row
 */
export function countReceipt(rows: Aggregates, receipt: Receipt, n: number): DailyRow {
  const day = utcDay(receipt.at);
  addSpend(rows.spend, receipt.key, receipt, n, day);
  addSpend(rows.spend, receipt.sandbox ? sandboxSpend(receipt.key) : APP_SPEND, receipt, n, day);
  return addDaily(rows, receipt, n, day);
}

/** The id of the daily row that a receipt belongs to. Without an endpoint: as earlier versions wrote it. */
export function dailyId(
  day: string,
  key: string,
  model: string,
  client: string,
  endpoint?: string,
  project?: string,
): string {
  const id = `${day}|${key}|${encodeURIComponent(model.toWellFormed())}|${encodeURIComponent(client.toWellFormed())}`;
  if (endpoint === undefined) return id;
  return project === undefined
    ? `${id}|${endpoint}`
    : `${id}|${endpoint}|${encodeURIComponent(project.toWellFormed())}`;
}

function addSpend(spend: Map<string, SpendRow>, id: string, receipt: Receipt, n: number, day: string): void {
  let row = spend.get(id);
  if (row === undefined) {
    row = { id, n: 0, total_nano: 0, days: [], months: [], last_used_at: 0 };
    spend.set(id, row);
  }
  if (n <= row.n) return;
  const nano = receipt.nano ?? 0;
  row.n = n;
  row.total_nano = addNano(row.total_nano, nano);
  addToPeriod(row.days, day, nano, KEPT_DAYS);
  addToPeriod(row.months, day.slice(0, 7), nano, KEPT_MONTHS);
  row.last_used_at = receipt.at;
}

function addToPeriod(sums: RunningSum[], period: string, nano: number, most: number): void {
  const last = sums.at(-1);
  if (last?.period === period) {
    last.nano = addNano(last.nano, nano);
    return;
  }
  const known = sums.findIndex((sum) => sum.period === period);
  const [sum = { period, nano: 0 }] = known === -1 ? [] : sums.splice(known, 1);
  sum.nano = addNano(sum.nano, nano);
  sums.push(sum);
  if (sums.length > most) sums.shift();
}

function addDaily(rows: Aggregates, receipt: Receipt, n: number, day: string): DailyRow {
  const row = rows.daily.get(getRowId(receipt, day)) ?? newDaily(rows, receipt, day);
  if (n <= row.n) return row;
  row.n = n;
  addReceipt(row, receipt);
  return row;
}

/** Row of the previous receipt: the next one is mostly of the same row, whose id is the longest text that one needs. */
let last = { day: "", key: "", model: "", client: "", endpoint: "", project: undefined as string | undefined, id: "" };

function getRowId(receipt: Receipt, day: string): string {
  const { key, endpoint, client, project } = receipt;
  const model = countedModel(receipt);
  const isSame =
    last.day === day &&
    last.key === key &&
    last.model === model &&
    last.client === client &&
    last.endpoint === endpoint &&
    last.project === project;
  if (!isSame)
    last = { day, key, model, client, endpoint, project, id: dailyId(day, key, model, client, endpoint, project) };
  return last.id;
}

function newDaily({ daily, budgets }: Aggregates, receipt: Receipt, day: string): DailyRow {
  const model = countedModel(receipt);
  const { key, endpoint } = receipt;
  const names = getNames(daily, day, key);
  const plain = chooseNames(names, receipt);
  const named = namedUnderBudgets(plain, receipt, budgets);
  const { client, project } = named;
  const id = dailyId(day, key, model, client, endpoint, project);
  const known = daily.get(id);
  if (known !== undefined) return known;
  // Receipts that an earlier version counted in its row of that day are not counted again, nor those counted without a
  // name before the budget existed.
  const earlier = daily.get(dailyId(day, key, model, client));
  const before =
    named === plain ? undefined : daily.get(dailyId(day, key, model, plain.client, endpoint, plain.project));
  const n = Math.max(earlier?.n ?? 0, before?.n ?? 0);
  const row: DailyRow = { id, n, day, ...emptySums({ ...receipt, client, project }) };
  daily.set(id, row);
  names.clients.add(client);
  if (project !== undefined) names.projects.add(project);
  return row;
}

/** Names of a row that clients choose. */
interface Named {
  readonly client: string;
  readonly project: string | undefined;
}

/** Names with their own rows. */
interface Names {
  readonly clients: Set<string>;
  readonly projects: Set<string>;
}

/**
 * Decides whether a client and a project get separate rows. Clients choose the names, so a new name per call would fill
 * memory. Rows are never removed, so a replay over any copy decides the same.
 */
function chooseNames({ clients, projects }: Names, { client, project }: Receipt): Named {
  const isKnown = project === undefined || projects.size < MOST_PROJECTS || projects.has(project);
  return {
    client: clients.size < MOST_CLIENTS || clients.has(client) ? client : OTHER_CLIENTS,
    project: isKnown ? project : undefined,
  };
}

/**
 * Counts a receipt without its own name under the name of its budget, which many may share: a budget's spend is summed from
 * rows.
 * @returns the same if no budget covers it
 */
function namedUnderBudgets(plain: Named, { client, project }: Receipt, budgets: Aggregates["budgets"]): Named {
  if (budgets === undefined || budgets.size === 0) return plain;
  const nameOf = (kind: ScopeKind, own: string | undefined): string | undefined =>
    own === undefined
      ? undefined
      : [...budgets.values()].find(
          ({ scope }) => scope.kind === kind && (kind === "client" ? matchesApp : matchesGlob)(scope.name, own),
        )?.scope.name;
  const byClient = plain.client === client ? undefined : nameOf("client", client);
  const byProject = plain.project === project ? undefined : nameOf("project", project);
  if (byClient === undefined && byProject === undefined) return plain;
  return { client: byClient ?? plain.client, project: byProject ?? plain.project };
}

type NamesByKey = Map<string, Names>;

/** Clients and projects with rows, by day and key: derived from a day's rows once, and cached with them. */
const namesByRows = new WeakMap<DailyRows, Map<string, NamesByKey>>();

function getNames(daily: DailyRows, day: string, key: string): Names {
  let days = namesByRows.get(daily);
  if (days === undefined) namesByRows.set(daily, (days = new Map<string, NamesByKey>()));
  let keys = days.get(day);
  if (keys === undefined) {
    days.set(day, (keys = new Map()));
    for (const row of daily.ofDay(day)) {
      const names = getKeyNames(keys, row.key);
      names.clients.add(row.client);
      if (row.project !== undefined) names.projects.add(row.project);
    }
  }
  return getKeyNames(keys, key);
}

function getKeyNames(keys: NamesByKey, key: string): Names {
  let names = keys.get(key);
  if (names === undefined) keys.set(key, (names = { clients: new Set(), projects: new Set() }));
  return names;
}
