import { createFileRoute } from '@tanstack/react-router'
import { CloudPage } from '#app/CloudPage.tsx'
import { requires } from '#app/requires.ts'
import { ConfigurationTab } from '#cloud-settings/index.ts'

export const Route = createFileRoute('/project/_signed-in/configuration')({
  beforeLoad: requires('admin'),
  component: ConfigurationPage,
})

function ConfigurationPage() {
  return (
    <CloudPage tab="configuration">
      <ConfigurationTab />
    </CloudPage>
  )
}
