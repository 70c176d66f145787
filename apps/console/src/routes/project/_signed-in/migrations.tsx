import { createFileRoute } from '@tanstack/react-router'
import { CloudPage } from '#app/CloudPage.tsx'
import { requires } from '#app/requires.ts'
import { LiveMigrationTab, useLiveMigrations } from '#live-migrations/index.ts'

export const Route = createFileRoute('/project/_signed-in/migrations')({
  beforeLoad: requires('admin'),
  component: MigrationsPage,
})

function MigrationsPage() {
  useLiveMigrations()
  return (
    <CloudPage tab="migration">
      <LiveMigrationTab />
    </CloudPage>
  )
}
