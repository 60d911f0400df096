import { Component, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/states.tsx";

interface Broken {
  readonly broken: boolean;
}

/** Error boundary of a page, which keeps the frame alive. React only supports class components here. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, Broken> {
  override state: Broken = { broken: false };

  static getDerivedStateFromError(): Broken {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return <BrokenPage onRetry={() => this.setState({ broken: false })} />;
  }
}

function BrokenPage({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  const t = useMessages();
  return (
    <Empty title={t.app.broken} help={t.app.brokenHelp} action={<Button onClick={onRetry}>{t.app.retry}</Button>} />
  );
}
