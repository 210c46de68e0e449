# A service as a user's module describes it. The provider finds the server by its variables: CLICKHOUSE_API_URL,
# CLICKHOUSE_ORG_ID, CLICKHOUSE_CLOUD_API_KEY and CLICKHOUSE_CLOUD_API_SECRET.
terraform {
  required_providers {
    clickhouse = {
      source = "ClickHouse/clickhouse"
    }
  }
}

provider "clickhouse" {}

resource "clickhouse_service" "visits" {
  name                      = "Visits"
  cloud_provider            = "aws"
  region                    = "us-east-1"
  idle_scaling              = true
  idle_timeout_minutes      = 15
  min_replica_memory_gb     = 8
  max_replica_memory_gb     = 16
  num_replicas              = 2
  password_hash             = base64sha256("only for tests")
  ip_access = [
    {
      source      = "192.0.2.0/24"
      description = "Office"
    }
  ]
}

output "service_id" {
  value = clickhouse_service.visits.id
}
