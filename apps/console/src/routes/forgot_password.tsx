import { createFileRoute } from '@tanstack/react-router'
import { CustomerArea } from '#customers/CustomerArea.tsx'

export const Route = createFileRoute('/forgot_password')({ component: () => <CustomerArea page="forgot_password" /> })
