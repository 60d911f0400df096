import { constants } from "node:zlib";

/**
 * The largest window of a Zstandard decoder, for `params`: what every decoder has to support and nearly every encoder
 * keeps to (RFC 8878, 3.1.1.1.2), 8 MiB. Node's own is 128 MiB of memory for a few bytes.
 */
export const ZSTD_WINDOW = { [constants.ZSTD_d_windowLogMax]: 23 };
