// Containers, clusters and clouds.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kContainers = {
    .read_only = R"ROWS(
docker ps -a
docker ps --format '{{.Names}}\t{{.Status}}'
docker logs --tail 100 api
docker logs -f --since 10m api 2>&1 | grep ERROR
docker stats --no-stream
docker inspect api | jq '.[0].State'
docker images
docker buildx inspect
docker buildx inspect builder
docker buildx ls
istioctl proxy-status
istioctl proxy-config cluster api-0 -n prod -o json
virsh list --all
virsh -c qemu:///system list
docker system df
docker network ls
docker volume inspect data
docker compose ps
docker compose -f /srv/app/compose.yml logs --tail=50
docker-compose ps
docker top api
docker version
podman ps
crictl ps -a
crictl pods
kubectl get nodes
kubectl get pods -A | grep -v Running
kubectl get pods -n kube-system -o wide
kubectl get events --sort-by=.lastTimestamp -n prod
kubectl get deploy api -n prod -o yaml
kubectl get pods -l app=api -o jsonpath='{.items[*].status.podIP}'
kubectl get secrets -n prod
kubectl describe pod api-0 -n prod
kubectl -n prod logs api-0 --tail=100 --previous
kubectl logs -f deploy/api -c app --since=1h
kubectl top pods -n prod --containers
kubectl top nodes
kubectl rollout status deploy/api -n prod
kubectl rollout history deploy/api
kubectl config current-context
kubectl version
kubectl api-resources
kubectl cluster-info
kubectl explain pod.spec
kubectl get --raw /healthz
kubectl auth can-i delete pods
helm list -A
helm status web -n prod
helm history web
etcdctl endpoint health
aws ec2 describe-instances --region eu-west-1
aws s3 ls
docker inspect $(docker ps -q)
)ROWS",
    .changing = R"ROWS(
kubectl get --raw /api/v1/namespaces/default/secrets/x
kubectl get pods -o go-template-file=/etc/shadow
kubectl get pods -ojsonpath-file=/etc/shadow
kubectl get pods -Ao=custom-columns-file=/etc/shadow
kubectl get pods --output go-template-file --template=/etc/shadow
kubectl get pods --output=templatefile=/etc/shadow
kubectl get -f /etc/shadow
oc get pods -o jsonpath-file=/etc/shadow
kubectl --kubeconfig=/tmp/x get pods
docker buildx inspect --bootstrap
docker buildx inspect --bootstrap=true x
istioctl ps --kubeconfig=/tmp/x
istioctl -c /tmp/x ps
virsh -c qemu+ext://x/system?command=/tmp/x list
virsh --connect=qemu+ssh://x/system list
aws ec2 describe-instances --filters file:///etc/passwd
az vm list --query @/etc/passwd
kubectl get pods --profile=cpu --profile-output=/tmp/x
kubectl cluster-info dump --output-directory=x
helm --post-renderer sh template x
kubectl apply -f x.yml
kubectl edit deploy x
kubectl exec pod -- ls
kubectl exec -it pod -n x -- df -h
kubectl cp a pod:b
kubectl port-forward pod 80
kubectl scale deploy x --replicas=0
kubectl label pod x a=b
kubectl cordon n1
kubectl run x --image=y
kubectl debug node/x
kubectl get pods --kubeconfig=/tmp/x
kubectl --token=x get pods
kubectl get secret db -o yaml
kubectl get secrets -o jsonpath='{.items}'
kubectl get secret/db -ojson
kubectl config view --raw
kubectl config use-context prod
kubectl rollout undo deploy/x
kubectl get pods $x
docker run -d nginx
docker exec api ls
docker restart api
docker rm api
docker rmi x
docker pull x
docker cp api:/x .
docker -H tcp://x ps
docker compose up -d
docker-compose restart
docker swarm join-token worker
helm upgrade x y
helm install x y
aws s3 cp a b
aws ec2 start-instances
aws secretsmanager get-secret-value --secret-id x
terraform apply
ansible all -m ping
)ROWS",
    .destroying = R"ROWS(
kubectl exec pod -- rm -rf x
kubectl exec -n a pod -c b -- sh -c 'rm -rf x'
docker exec api rm -rf x
docker exec -it -u root api sh -c 'rm -rf x'
docker run --rm -v /:/h alpine rm -rf /h
kubectl delete ns prod
kubectl delete pod x
kubectl -n prod delete deploy --all
kubectl drain n1
helm uninstall x
docker system prune -af
docker volume rm data
docker rm -fv db
docker compose down -v
docker-compose down
terraform destroy
aws ec2 terminate-instances --instance-ids i
aws s3 rm s3://b --recursive
)ROWS",
};

}  // namespace safety::commands
