import { createFileRoute } from '@tanstack/react-router'
import { CloudPage } from '#app/CloudPage.tsx'
import { requires } from '#app/requires.ts'
import { MonitoringTab } from '#monitoring/index.ts'

export const Route = createFileRoute('/project/_signed-in/monitoring')({
  beforeLoad: requires('admin'),
  component: MonitoringPage,
})

function MonitoringPage() {
  return (
    <CloudPage tab="monitoring">
      <MonitoringTab />
    </CloudPage>
  )
}
