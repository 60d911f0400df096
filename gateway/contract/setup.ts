import * as z from "zod";
import { usdUpTo } from "./bounds.ts";
import { setBudgetSchema } from "./budgets.ts";
import { createConnectionSchema } from "./connection.ts";
import { keyLimitsSchema } from "./key.ts";
import { MAX_ALIASES, aliasNameSchema, modelIdSchema, ownUnits } from "./model-view.ts";
import { MOST_USD } from "./money.ts";
import { setRouteSchema } from "./routes.ts";
import { setSearchKeySchema } from "./search.ts";
import { getSecretSchema } from "./secret.ts";
import { settingsSchema } from "./settings-schema.ts";
import { setTelemetryHeadersSchema } from "./telemetry.ts";

/**
 * The configuration of a Postern, by names instead of ids: the YAML of `postern config`, and the result of an importer.
 * Every part is optional; omitted parts are not changed.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits");

const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(5_000);

/** A program of this machine that serves models, as it was when the owner decided to use it. */
const localServerSchema = z
  .object({
    kind: z.string().min(1).max(50),
    port: z.number().int().min(1).max(65_535),
    /** User of the program; null if unknown. */
    uid: z.number().int().nonnegative().nullable(),
  })
  .strict();

/** A connection, identified by name. Without `keys` its keys stay. */
export const setupConnectionSchema = createConnectionSchema
  .extend({
    enabled: z.boolean().optional(),
    /** Set for a detected local server, which is used while it runs. */
    local_server: localServerSchema.optional(),
  })
  .strict();
export type SetupConnection = z.infer<typeof setupConnectionSchema>;

/**
 * A local key, identified by `sha256` if given, else by name. `sha256` (hex, of the whole key) transfers a key whose
 * secret only its user has; `secret` is the key itself. Without both, a missing key is created and shown once.
 */
export const setupKeySchema = keyLimitsSchema
  .partial()
  .extend({
    name: keyLimitsSchema.shape.name,
    sha256: sha256.optional(),
    secret: getSecretSchema(500).min(9).startsWith("sk-", "expected a key that begins with sk-").optional(),
    /** `sk-ab…wxyz`, as pages show it. */
    hint: z.string().max(40).optional(),
    disabled: z.boolean().optional(),
  })
  .strict();
export type SetupKey = z.infer<typeof setupKeySchema>;

/** USD per million tokens or characters, and per piece of everything else, by kind of unit. */
export const setupPriceSchema = z.partialRecord(z.enum(ownUnits), usdUpTo(MOST_USD));
export type SetupPrice = z.infer<typeof setupPriceSchema>;

export const setupSchema = z
  .object({
    connections: list(setupConnectionSchema).optional(),
    keys: list(setupKeySchema).optional(),
    /** Keys in conditions are given by name, not by id as in the control API; by `sha256` if the name is not unique. */
    routes: list(setRouteSchema.omit({ renames: true })).optional(),
    /** Names in chains that refer to models, although routes with these names exist. */
    route_models: list(modelIdSchema).optional(),
    /** The owner's own names, each for a model. */
    aliases: z
      .record(aliasNameSchema, modelIdSchema)
      .refine((aliases) => Object.keys(aliases).length <= MAX_ALIASES, `expected at most ${MAX_ALIASES} names`)
      .optional(),
    /** The owner's own prices, by model. */
    prices: z.record(modelIdSchema, setupPriceSchema).optional(),
    /** Budgets of clients and projects. */
    budgets: list(setBudgetSchema).optional(),
    settings: settingsSchema.partial().strict().optional(),
    /** Keys of search services. */
    search_keys: z.partialRecord(setSearchKeySchema.shape.provider, getSecretSchema(500)).optional(),
    /** Secret that signs webhooks. */
    webhook_secret: z.string().max(200).optional(),
    /** Header fields for the receiver of telemetry, as lines `Name: value`. */
    telemetry_headers: setTelemetryHeadersSchema.shape.headers.unwrap().optional(),
    /** Key of `/metrics`, whose secret only its user has. */
    metrics_key: z
      .object({ sha256, hint: z.string().max(40).optional() })
      .strict()
      .optional(),
    /** Ids of connected apps. */
    clients: list(z.string().max(50)).optional(),
  })
  .strict();
export type Setup = z.infer<typeof setupSchema>;

/** A set-up as a file: YAML or JSON. Texts may hold `${VARIABLE}`, `${file:/path}` and `${secret:name}`. */
export const setupFileSchema = setupSchema
  .extend({
    /** Version of the format; a file without it has this one. */
    version: z.literal(1).optional(),
    /**
     * Values of the file's `${secret:name}`: YAML, name by name, encrypted by a passphrase as `age -p -a` does (armored;
     * age-encryption.org/v1).
     */
    secrets: z.string().max(4_000_000).optional(),
  })
  .strict();
