import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClasses } from "#console/ui/button.tsx";
import { Empty } from "#console/ui/panel.tsx";

export const NotFoundPage = () => (
  <Empty
    icon={<Compass aria-hidden />}
    title="There is nothing here"
    action={
      <Link to="/" className={buttonClasses()}>
        Go to your links
      </Link>
    }
  >
    The address may be mistyped, or what it showed is gone.
  </Empty>
);
