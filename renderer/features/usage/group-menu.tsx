import { LimitItems } from "../../components/limits/limit-items.tsx";
import { Braces, Copy, Ellipsis, Filter, List, Tag } from "lucide-react";
import type { ReactNode } from "react";
import type { UsageGroup } from "../../../gateway/contract/usage.ts";
import type { Column } from "../../components/table/column.ts";
import { IconButton } from "../../components/ui/button.tsx";
import { useCopy } from "../../components/ui/copy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { toTsv } from "../../lib/csv.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import type { UsageRow } from "./sort-groups.ts";
import { priceHash, type Requests, type Span } from "./usage-address.ts";

export interface GroupMenuProps {
  readonly row: UsageRow;
  readonly by: UsageGroup;
  readonly name: string;
  readonly span: Span;
  /** Null if they cannot be listed. */
  readonly requests: Requests | null;
  /** Columns copied as TSV. */
  readonly columns: readonly Column<UsageRow>[];
}

/** Actions on a group: its requests, its price, and its figures as text. */
export function GroupMenu(props: GroupMenuProps): ReactNode {
  const t = useMessages();
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(props.name)}>
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      <Items {...props} />
    </Menu>
  );
}

/** Made when the menu is opened. */
function Items({ row, by, name, span, requests, columns }: GroupMenuProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  const copied = async (text: string): Promise<void> => {
    if (await copy(text)) notify.confirm(t.table.copiedRows(1));
  };
  const named = columns.filter(({ bare }) => bare !== true);
  return (
    <>
      {requests !== null && (
        <MenuItem
          icon={<List size={14} aria-hidden />}
          onSelect={() => navigate("requests", requests(row.group, span))}
        >
          {t.usage.showRequests}
        </MenuItem>
      )}
      {row.group !== "" && (
        <MenuItem icon={<Filter size={14} aria-hidden />} onSelect={() => replaceParams({ [by]: row.group })}>
          {t.usage.only}
        </MenuItem>
      )}
      {by === "model" && row.group !== "" && row.totals.unpriced_requests > 0 && (
        <MenuItem icon={<Tag size={14} aria-hidden />} onSelect={() => (location.hash = priceHash(row.group))}>
          {t.usage.setPrice}
        </MenuItem>
      )}
      {by === "client" && <LimitItems app={row.group} />}
      {by === "project" && <LimitItems project={row.group} />}
      {by === "key" && <LimitItems keyId={row.group} />}
      <MenuSeparator />
      <MenuItem icon={<Braces size={14} aria-hidden />} onSelect={() => void copied(rowAsJson(row, by, name, span))}>
        {t.usage.copyJson}
      </MenuItem>
      <MenuItem
        icon={<Copy size={14} aria-hidden />}
        onSelect={() => void copied(toTsv([named.map(({ label }) => label), named.map((column) => column.text(row))]))}
      >
        {t.table.copyTsv}
      </MenuItem>
    </>
  );
}

/** Every figure of a group, for programs: money in 10⁻⁹ USD, times in ms, as the control API has them. */
export function rowAsJson({ group, totals, latency }: UsageRow, by: UsageGroup, name: string, span: Span): string {
  const [since, until] = [new Date(span.since).toISOString(), new Date(span.until).toISOString()];
  return JSON.stringify({ since, until, [by]: group, ...(name !== group && { name }), totals, latency }, null, 2);
}
