import type { AddressView } from "../../../gateway/contract/address.ts";
import { initialSettings, type Settings } from "../../../gateway/contract/settings.ts";
import type { PriceChange, PriceChanges, PriceListView } from "../../../gateway/contract/price-list.ts";
import type { BackupsView, DataFolderView, KeyProtectionView } from "../../../gateway/contract/maintenance.ts";
import type { SearchView } from "../../../gateway/contract/search.ts";
import type { TelemetryView } from "../../../gateway/contract/telemetry.ts";
import type { FakeControl } from "./fake-control.ts";

export const settings: Settings = {
  ...initialSettings,
  monthly_budget_usd: 40,
  media_max_gib: 50,
  allow_targets: ["nas.local:9000"],
  search_provider: "brave",
  otlp_endpoint: "http://127.0.0.1:4318",
};

export const search: SearchView = {
  provider: "brave",
  key_hint: "BSA…x7Qd",
  needs_key: true,
  keys_url: "https://api-dashboard.search.brave.com/app/keys",
  price_usd: 0.005,
  published_usd: 0.005,
  problem: null,
};

export const telemetry: TelemetryView = {
  endpoint: "http://127.0.0.1:4318",
  headers: ["authorization"],
  queued: 12,
  exported: 48_210,
  dropped: 3,
  exported_at: Date.UTC(2026, 10, 22, 9),
  problem:
    "The receiver responded to /v1/metrics with status 404. Check its address, and whether it takes this signal.",
  metrics_key: { hint: "tok-m…x7Qd", created_at: Date.UTC(2026, 10, 20, 9) },
  scraped_at: Date.UTC(2026, 10, 22, 9, 1),
};

const address: AddressView = {
  url: "http://127.0.0.1:6174",
  host: "0.0.0.0",
  port: 6174,
  others: ["http://192.168.1.5:6174"],
  fixed: { host: false, port: false },
  next: { host: "127.0.0.1", port: 7000 },
  restart_needed: true,
  can_restart: true,
};

export const backups: BackupsView = {
  data: [
    {
      name: "2026-11-22T090000-000Z",
      at: Date.UTC(2026, 10, 22, 9),
      bytes: 2_400_000,
      opens_keys: false,
      kind: "manual",
    },
    {
      name: "2026-11-22T030000-000Z-automatic",
      at: Date.UTC(2026, 10, 22, 3),
      bytes: 2_300_000,
      opens_keys: false,
      kind: "automatic",
    },
    {
      opens_keys: false,
      name: "2026-11-21T120000-000Z-before-restore",
      at: Date.UTC(2026, 10, 21, 12),
      bytes: 1_100_000,
      kind: "before-restore",
    },
  ],
  pending: null,
};

export const keyProtection: KeyProtectionView = {
  encrypted_by: ["file"],
  keychain: "gnome_libsecret",
  can_move: true,
  locked: null,
};

const folder: DataFolderView = {
  path: "/home/owner/.local/share/postern",
  bytes: 4_310_412_300,
  files: 1_310,
  parts: [
    { part: "state", bytes: 310_000, files: 3 },
    { part: "journal", bytes: 52_300, files: 1 },
    { part: "secrets", bytes: 2_400, files: 3 },
    { part: "usage", bytes: 4_200_000, files: 4 },
    { part: "tasks", bytes: 47_600, files: 2 },
    { part: "media", bytes: 4_300_000_000, files: 1_280 },
    { part: "backups", bytes: 5_800_000, files: 17 },
  ],
};

const usd = (amount: number): number => amount * 1e9;

/** The first is unusual, the last is where no connection leads to. */
const changes: PriceChange[] = [
  {
    host: "api.openai.com",
    model: "gpt-5.4-mini",
    kind: "changed",
    connected: true,
    unusual: true,
    rates: [{ unit: "output", above: 0, old: usd(2), new: 0 }],
  },
  {
    host: "api.anthropic.com",
    model: "claude-sonnet-4-5-20250929",
    kind: "changed",
    connected: true,
    unusual: false,
    rates: [
      { unit: "input", above: 0, old: usd(3), new: usd(2.5) },
      { unit: "cached_input", above: 0, old: usd(0.3), new: usd(0.25) },
      { unit: "input", above: 200_000, old: usd(6), new: null },
    ],
  },
  {
    host: "api.groq.com",
    model: "moonshotai/kimi-k2-instruct-0905",
    kind: "added",
    connected: false,
    unusual: false,
    rates: [{ unit: "input", above: 0, old: null, new: usd(1) }],
  },
];

const origin = { url: "https://prices.example/prices.json", shape: "litellm", models: 1_204 } as const;

export const priceList: PriceListView = {
  accepted: { ...origin, id: "list-1", fetched_at: Date.UTC(2026, 9, 1, 9) },
  offered: {
    ...origin,
    id: "list-2",
    fetched_at: Date.UTC(2026, 10, 22, 9),
    changes: { changed: 2, added: 1, removed: 0, unusual: 1, connected: 2 },
  },
  problem: null,
};

export const priceChanges = (all: boolean): PriceChanges => {
  const data = changes.filter(({ connected }) => all || connected);
  return { id: "list-2", data, total: data.length };
};

/** Puts the responses behind the Settings page. */
export function serveSettings(fake: FakeControl): void {
  const ok = (body: unknown): { status: number; body: unknown } => ({ status: 200, body });
  fake.responses.set("GET /control/settings", ok(settings));
  fake.responses.set("GET /control/address", ok(address));
  fake.responses.set("GET /control/setup", ok({ data: [] }));
  fake.responses.set("GET /control/backups", ok(backups));
  fake.responses.set("GET /control/key-protection", ok(keyProtection));
  fake.responses.set("GET /control/data-folder", ok(folder));
  fake.responses.set("GET /control/search", ok(search));
  fake.responses.set("GET /control/telemetry", ok(telemetry));
  fake.responses.set("GET /control/price-list", ok(priceList));
  fake.responses.set("GET /control/price-list/changes", ok(priceChanges(false)));
  fake.responses.set(
    "GET /control/webhooks",
    ok({
      secret: "whsec_c2FtcGxl",
      from_environment: false,
      previous_until: null,
      pending: 0,
      disabled: [],
      recent: [],
    }),
  );
}
