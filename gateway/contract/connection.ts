import * as z from "zod";
import { vendorIds } from "./vendor-ids.ts";

export const vendorIdSchema = z.enum(vendorIds);
export type VendorId = z.infer<typeof vendorIdSchema>;

const name = z.string().trim().min(1).max(100);
const baseUrl = z.string().trim().min(1).max(2_000);
const secret = z.string().trim().min(1).max(4_000);
/** Lower is asked first. */
const priority = z.number().int().min(0).max(1_000);

/** Body of "add connection". Without `base_url` the vendor's own; a server that needs no key takes none. */
export const createConnectionSchema = z
  .object({
    vendor: vendorIdSchema,
    name,
    base_url: baseUrl.optional(),
    keys: z.array(secret).max(20).optional(),
    priority: priority.optional(),
  })
  .strict();
export type CreateConnection = z.infer<typeof createConnectionSchema>;

/** Body of "change connection". `keys`, when given, replaces all of them. */
export const updateConnectionSchema = z
  .object({
    name: name.optional(),
    base_url: baseUrl.optional(),
    keys: z.array(secret).max(20).optional(),
    priority: priority.optional(),
    enabled: z.boolean().optional(),
  })
  .strict();
export type UpdateConnection = z.infer<typeof updateConnectionSchema>;

/** How one vendor key of a connection is doing. */
export const credentialHealthSchema = z.object({
  /** `sk-ab…wxyz`, or "no key". */
  hint: z.string(),
  state: z.enum(["ready", "cooling", "open", "refused", "out_of_credit", "locked"]),
  /** Until when it is left alone, Unix milliseconds. */
  until: z.number().int().nullable(),
  /** The vendor's last complaint, redacted. */
  reason: z.string().nullable(),
});
export type CredentialHealth = z.infer<typeof credentialHealthSchema>;

/** A connection as the pages see it. Vendor keys are never shown again, only replaced. */
export const connectionViewSchema = z.object({
  id: z.string(),
  vendor: vendorIdSchema,
  name: z.string(),
  base_url: z.string(),
  priority: z.number().int(),
  enabled: z.boolean(),
  /** `environment`: from POSTERN_<VENDOR>_*; `local`: found on a loopback port; both are re-made at each start. */
  origin: z.enum(["created", "environment", "local"]),
  created_at: z.number().int(),
  credentials: z.array(credentialHealthSchema),
  /** How many models it serves, when that was asked last, and what went wrong then. */
  models: z.object({
    count: z.number().int().nonnegative(),
    checked_at: z.number().int().nullable(),
    error: z.string().nullable(),
  }),
});
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/** Answer of "test connection": one real call that costs nothing (the model list). */
export const connectionTestSchema = z.object({
  ok: z.boolean(),
  /** What happened, and what to do about it. */
  message: z.string(),
  ms: z.number().nonnegative(),
  models: z.number().int().nonnegative(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
