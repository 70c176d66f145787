import { createFileRoute } from '@tanstack/react-router'
import { CloudPage } from '#app/CloudPage.tsx'
import { requires } from '#app/requires.ts'
import { BackupPoliciesTab } from '#backup-policies/index.ts'

export const Route = createFileRoute('/project/_signed-in/backups')({
  beforeLoad: requires('admin'),
  component: BackupsPage,
})

function BackupsPage() {
  return (
    <CloudPage tab="backups">
      <BackupPoliciesTab />
    </CloudPage>
  )
}
