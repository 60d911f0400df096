import type { ReactNode } from "react";
import { CheckBox } from "../../components/ui/check-box.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** Asks whether plain http to the open internet is meant, once the gateway has said that it would be that. */
export function AllowHttp(props: {
  readonly checked: boolean;
  readonly error: string | undefined;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  const t = useMessages();
  if (props.error === undefined && !props.checked) return null;
  return (
    <div>
      {props.error !== undefined && <p className="mb-1 text-meta wrap-anywhere text-danger-text">{props.error}</p>}
      <CheckBox label={t.connections.allowHttp} checked={props.checked} onChange={props.onChange} />
    </div>
  );
}
