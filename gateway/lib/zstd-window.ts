import { constants } from "node:zlib";

/**
 * Max window of the Zstandard decoder, for `params`: every decoder must support it and nearly every encoder stays
 * within it (RFC 8878, 3.1.1.1.2), 8 MiB. Node's default allows 128 MiB of memory for a few bytes.
 */
export const ZSTD_WINDOW = { [constants.ZSTD_d_windowLogMax]: 23 };
