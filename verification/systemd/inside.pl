# Tries the operations that the sandbox of notesd.service forbids, and exits with 1 at the first
# that succeeds. With --outside it exits with 1 at the first that fails. Perl is part of every
# Debian, and can make any system call.
use strict;
use warnings;
use Socket;
use POSIX ();

$| = 1;
my $outside = @ARGV && $ARGV[0] eq '--outside';
my ($machine) = (POSIX::uname())[4];
my %number = $machine eq 'aarch64'
    ? (mount => 40, unshare => 97, personality => 92, mmap => 222, settimeofday => 170, sethostname => 161, ptrace => 117, setpriority => 140,
        keyctl => 219, bpf => 280, syslog => 116, fchmod => 52)
    : (mount => 165, unshare => 272, personality => 135, mmap => 9, settimeofday => 164, sethostname => 170, ptrace => 101,
        setpriority => 141, keyctl => 250, bpf => 321, syslog => 103, fchmod => 91);

# An operation succeeds if the block returns true. If an error is given, the operation must fail
# with it: writing another user's file, for example, fails anyway.
sub try {
    my ($what, $block, $error) = @_;
    $! = 0;
    my $done = eval { $block->() } ? 1 : 0;
    my $why = $! ? " ($!)" : $@ ? " ($@)" : '';
    if (!$done && !$outside && $error && !$!{$error}) {
        print "inside: the error is not $error: it cannot $what$why\n";
        exit 1;
    }
    if ($done == ($outside ? 1 : 0)) {
        print 'inside: it cannot ', $what, "\n" unless $outside;
    } else {
        print $outside ? "outside: it cannot $what, so the check means nothing$why\n" : "inside: IT CAN $what\n";
        exit 1;
    }
}

sub call { my $name = shift; return syscall($number{$name}, @_) != -1; }
sub connects { my $path = shift; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; return connect($s, sockaddr_un($path)); }
sub writes { my $file = shift; open(my $handle, '>', $file) or return 0; close $handle; unlink $file; return 1; }

try 'make a socket for the network' => sub { socket(my $s, AF_INET, SOCK_STREAM, 0) }, 'EAFNOSUPPORT';
try 'make a socket for IPv6' => sub { socket(my $s, AF_INET6, SOCK_STREAM, 0) }, 'EAFNOSUPPORT';
try 'use netlink to the kernel' => sub { socket(my $s, 16, SOCK_RAW, 0) }, 'EAFNOSUPPORT';
try 'send raw packets' => sub { socket(my $s, 17, SOCK_RAW, 0) }, 'EAFNOSUPPORT';
try 'write to /usr' => sub { writes('/usr/notesd-was-here') }, 'EROFS';
try 'write to /etc' => sub { writes('/etc/notesd-was-here') }, 'EROFS';
try 'write to its configuration' => sub { writes('/etc/notesd/notesd-was-here') }, 'EROFS';
try 'write elsewhere in /var' => sub { writes('/var/notesd-was-here') }, 'EROFS';
try 'write into the runtime folders of others' => sub { writes('/run/notesd-was-here') }, 'EROFS';
try 'see the homes of users' => sub { -e '/home/anna' };
try 'see the home of root' => sub { opendir(my $d, '/root') };
try 'see the files of others in /tmp' => sub { -e '/tmp/of-others' };
try 'see the processes of others' => sub { -e '/proc/1/status' };
try 'see the settings of the kernel' => sub { -e '/proc/sys/kernel/hostname' };
try 'see devices' => sub { -e '/dev/notesd-test' };
try 'mount a file system' => sub { my ($place, $kind) = ("/tmp\0", "tmpfs\0"); call('mount', $kind, $place, $kind, 0, 0) }, 'EPERM';
try 'make a namespace' => sub { call('unshare', 0x04000000) }, 'EPERM';
try 'change its personality' => sub { call('personality', 0x0400000) }, 'EPERM';
# PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS.
try 'have memory that is both writable and executable' => sub { syscall($number{mmap}, 0, 4096, 7, 0x22, -1, 0) != -1 }, 'EPERM';
try 'create a setuid file' => sub {
    my $file = ($outside ? '/var/tmp' : '/var/lib/notesd') . '/suid';
    open(my $handle, '>', $file) or die;
    my $done = chmod 04755, $file;
    unlink $file;
    return $done;
}, 'EPERM';
# PTRACE_TRACEME.
try 'make a system call that services do not need' => sub { call('ptrace', 0, 0, 0, 0) }, 'EPERM';
try 'connect to the system bus' => sub { connects('/run/dbus/system_bus_socket') }, 'EACCES';
try 'set the host name' => sub { my $name = "box\0"; call('sethostname', $name, 3) }, 'EPERM';
try 'raise its priority' => sub { call('setpriority', 0, 0, -5) }, 'EPERM';
try 'become another user' => sub { POSIX::setuid(1234) or die; 1 };
