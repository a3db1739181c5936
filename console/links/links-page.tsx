import { PageHead } from "#console/ui/panel.tsx";

export const LinksPage = () => <PageHead title="Links" />;
