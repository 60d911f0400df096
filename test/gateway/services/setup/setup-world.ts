import type { Setup } from "../../../../gateway/contract/setup.ts";
import type { ConnectionTest } from "../../../../gateway/contract/connection.ts";
import type { SetupResult } from "../../../../gateway/contract/setup-operations.ts";
import { Budgets } from "../../../../gateway/services/budgets/budgets.ts";
import { Forecasts } from "../../../../gateway/services/budgets/forecasts.ts";
import { ManageBudgets } from "../../../../gateway/services/budgets/manage-budgets.ts";
import { FoundServers } from "../../../../gateway/services/connections/found-servers.ts";
import { Connections } from "../../../../gateway/services/connections/connections.ts";
import { ManageConnections } from "../../../../gateway/services/connections/manage-connections.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { KeyRing } from "../../../../gateway/services/keys/key-ring.ts";
import { ManageKeys } from "../../../../gateway/services/keys/manage-keys.ts";
import type { Discovery } from "../../../../gateway/services/models/discovery.ts";
import { ManageModels } from "../../../../gateway/services/models/manage-models.ts";
import { ModelIndex } from "../../../../gateway/services/models/model-index.ts";
import { ManageRoutes } from "../../../../gateway/services/routes/manage-routes.ts";
import { AppSettings } from "../../../../gateway/services/settings.ts";
import { ManageSetup, type ApplySetup, type SetupWish } from "../../../../gateway/services/setup/manage-setup.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { FixedClock, open } from "../../store/fixtures.ts";
import { SimFs, type Disk } from "../../store/sim-fs.ts";

const DIR = "/data";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };

/** What a test of a provider key says. Keys that begin with `bad` are refused. */
function tested(secret: string): ConnectionTest {
  const refused = secret.startsWith("bad");
  const problem = refused ? ("refused" as const) : null;
  return {
    ok: !refused,
    message: refused ? "It refuses this key." : "It responds.",
    problem,
    said: null,
    ms: 1,
    models: 1,
  };
}

/** The services that set-ups are made of, on a simulated disk, without a network. */
export class SetupWorld {
  readonly clock = new FixedClock();
  readonly events = new Events();
  readonly connections = new Connections();
  /** Provider keys that were asked about. */
  readonly requests: string[] = [];
  readonly fs: SimFs;
  readonly store: OpenedStore;
  readonly settings: AppSettings;
  readonly keyRing: KeyRing;
  readonly budgets: Budgets;
  readonly manageConnections: ManageConnections;
  readonly manageKeys: ManageKeys;
  readonly manageModels: ManageModels;
  readonly manageRoutes: ManageRoutes;
  readonly setup: ManageSetup;

  private constructor(fs: SimFs, store: OpenedStore) {
    this.fs = fs;
    this.store = store;
    const { clock, events, connections } = this;
    const discovery = {
      test: async () => undefined,
      tryOut: async ({ credentials: [first] }: { credentials: readonly { secret: string | null }[] }) => {
        this.requests.push(first?.secret ?? "");
        return tested(first?.secret ?? "");
      },
    } as unknown as Discovery;
    this.settings = new AppSettings(store, events, {}, new Set());
    const index = new ModelIndex(
      connections,
      () => false,
      clock,
      () => store.document,
    );
    this.keyRing = new KeyRing(store, clock);
    this.budgets = new Budgets(store, clock);
    this.manageConnections = new ManageConnections({
      store,
      clock,
      connections,
      discovery,
      credit: { read: async () => undefined },
      found: new FoundServers(),
    });
    const forecasts = new Forecasts(store, clock);
    this.manageKeys = new ManageKeys({ store, clock, keyRing: this.keyRing, forecasts, events });
    this.manageModels = new ManageModels({ index, store, clock, events });
    this.manageRoutes = new ManageRoutes({ index, store, clock, events, keyRing: this.keyRing });
    this.setup = new ManageSetup({
      store,
      clock,
      settings: this.settings,
      connections,
      discovery,
      manageConnections: this.manageConnections,
      manageKeys: this.manageKeys,
      manageBudgets: new ManageBudgets({
        budgets: this.budgets,
        forecasts: new Forecasts(store, clock),
        store,
        clock,
        events,
      }),
      index,
      events,
    });
  }

  static async start(disk: Disk = EMPTY): Promise<SetupWorld> {
    const fs = new SimFs(disk);
    return new SetupWorld(fs, (await open({ dir: DIR, fs })).store);
  }

  apply(setup: Setup, how: Partial<SetupWish & ApplySetup> = {}): Promise<SetupResult> {
    const { prune = false, partial = false, ...rest } = how;
    return this.setup.apply({ setup, prune, partial }, { source: "file", token: null, ...rest });
  }

  /** How many records a set-up would change. */
  async changes(setup: Setup, prune = false): Promise<string[]> {
    const { changes } = await this.setup.plan({ setup, prune, partial: false });
    return changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
  }

  async undoNewest(): Promise<string[]> {
    const [newest] = this.setup.list();
    const { token } = this.setup.planUndo(newest?.id ?? "");
    const { left } = await this.setup.undo(newest?.id ?? "", token);
    return left.map(({ kind, name }) => `${kind} ${name}`);
  }

  /** Secrets that are encrypted on the disk, named by something or not. */
  get secrets(): readonly string[] {
    return this.store.secrets.all().toSorted();
  }
}

/** One of everything. */
export const WHOLE: Setup = {
  connections: [
    { name: "OpenAI", provider: "openai", keys: ["sk-openai-key-0001", "sk-openai-key-0002"], priority: 10 },
    { name: "House", provider: "openai-compatible", base_url: "http://127.0.0.1:8099/v1", keys: ["house-key-0001"] },
  ],
  keys: [
    { name: "laptop", secret: "sk-laptop-secret-0001", models: ["gpt-*"], limit_usd: 5, reset: "monthly", rpm: 60 },
    { name: "phone", secret: "sk-phone-secret-000002", disabled: true },
  ],
  routes: [
    {
      name: "work",
      models: ["gpt-5", "house/big"],
      order: "cheapest",
      rules: [{ when: { keys: ["laptop"] }, models: ["gpt-5-mini"], enabled: true }],
    },
  ],
  aliases: { quick: "gpt-5-mini" },
  prices: { "gpt-5": { input: 1.25, cached_input: 0.125, output: 10 }, "house/paint": { image: 0.04 } },
  budgets: [{ scope: { kind: "client", name: "claude-*" }, reset: "daily", limit_usd: 2.5 }],
  settings: {
    backup_keep: 3,
    monthly_budget_usd: 25.5,
    search_provider: "brave",
    otlp_endpoint: "https://telemetry.example:4318",
  },
  telemetry_headers: "authorization: Bearer telemetry-secret-0001",
  metrics_key: { sha256: "ab".repeat(32), hint: "pm-ab…wxyz" },
  search_keys: { brave: "BSA-brave-search-key" },
  webhook_secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
};
