import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClasses } from "#console/ui/button.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { appTexts as texts } from "#texts/app.ts";

export const NotFoundPage = () => (
  <Empty
    icon={<Compass aria-hidden />}
    title={texts.notFound}
    action={
      <Link to="/" className={buttonClasses()}>
        {texts.toLinks}
      </Link>
    }
  >
    {texts.notFoundNote}
  </Empty>
);
