import type { ReactNode } from "react";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useRoute } from "../../lib/router.ts";
import { SessionTable } from "./session-table.tsx";
import { SessionView } from "./session-view.tsx";

/** Sessions of apps; `id` in the address opens one, `request` one of its requests. */
export function SessionsPage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const id = params.get("id");
  return (
    <>
      <PageHeader title={t.pages.sessions} />
      {id === null ? <SessionTable params={params} /> : <SessionView key={id} id={id} params={params} />}
    </>
  );
}
