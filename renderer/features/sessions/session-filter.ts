import type { SessionFilter } from "../../api/session-queries.ts";
import { addressFields, words } from "../../lib/address-fields.ts";

/** The filters of the Sessions page, as its address holds them. */
export const filters = addressFields({ q: words(100), project: words(100), client: words(200) });

export const getFilter = (params: URLSearchParams): SessionFilter => filters.getValues(params);
