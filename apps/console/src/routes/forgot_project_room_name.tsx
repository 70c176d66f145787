import { createFileRoute } from '@tanstack/react-router'
import { CustomerArea } from '#customers/index.ts'

export const Route = createFileRoute('/forgot_project_room_name')({
  component: () => <CustomerArea page="forgot_project_room_name" />,
})
