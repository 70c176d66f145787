import { createFileRoute } from '@tanstack/react-router'
import { OverviewPage } from '#overview/OverviewPage.tsx'

export const Route = createFileRoute('/project/_signed-in/overview')({ component: OverviewPage })
