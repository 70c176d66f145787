import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { MaintenancePage } from '#maintenance/MaintenancePage.tsx'

export const Route = createFileRoute('/project/_signed-in/maintenance_mode')({
  beforeLoad: requires('admin'),
  component: MaintenancePage,
})
