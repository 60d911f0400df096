import type { Receipt } from "../../contract/receipt.ts";
import { isRecord } from "../../lib/records.ts";
import type { OpenCall } from "../store.ts";

/**
 * Checks fields without zod, because a start may have to check a million receipts. Only the fields that sums are made of are
 * checked.
 */
export function isReceipt(value: unknown): value is Receipt {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    Number.isSafeInteger(value["at"]) &&
    typeof value["key"] === "string" &&
    typeof value["model"] === "string" &&
    typeof value["client"] === "string" &&
    typeof value["sandbox"] === "boolean" &&
    (value["nano"] === null || Number.isSafeInteger(value["nano"])) &&
    Array.isArray(value["terms"]) &&
    Math.abs(value["at"] as number) <= LAST_MOMENT
  );
}

/** The last moment that a Date can hold. */
const LAST_MOMENT = 8.64e15;

export function isOpenCall(value: unknown): value is OpenCall {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    Number.isSafeInteger(value["at"]) &&
    typeof value["key"] === "string" &&
    typeof value["model"] === "string" &&
    Number.isSafeInteger(value["hold_nano"]) &&
    (value["bill"] === undefined || isBill(value["bill"]))
  );
}

function isBill(value: unknown): boolean {
  return (
    isRecord(value) && Array.isArray(value["terms"]) && (value["nano"] === null || Number.isSafeInteger(value["nano"]))
  );
}
