import { createFileRoute } from '@tanstack/react-router'
import { CloudPage } from '#app/CloudPage.tsx'
import { requires } from '#app/requires.ts'
import { RegionsTab } from '#regions/index.ts'

export const Route = createFileRoute('/project/_signed-in/regions')({
  beforeLoad: requires('admin'),
  component: RegionsPage,
})

function RegionsPage() {
  return (
    <CloudPage tab="regions">
      <RegionsTab />
    </CloudPage>
  )
}
